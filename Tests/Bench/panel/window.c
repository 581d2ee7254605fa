/* SPDX-License-Identifier: MIT */
/*
 * window: plain windows of pretended applications, under the window manager that is there.
 *
 * It reads lines on stdin, answers each with "done" when the X server has carried it out, and ends with
 * stdin. NAME is a word of one's own choice, the number of the window is its answer's second word.
 *
 *   open NAME CLASS [KEY=VALUE…]   maps a window of WM_CLASS "CLASS-window", "CLASS"; the keys:
 *                                    type=DIALOG       the rest of a _NET_WM_WINDOW_TYPE_ word
 *                                    for=NAME          WM_TRANSIENT_FOR; also for=root, for=itself
 *                                    group=NAME        WM_HINTS' group; also group=itself
 *                                    fullscreen=yes    from the beginning
 *                                    id=org.example.X  _GTK_APPLICATION_ID
 *                                    x= y= w= h=       place and size
 *   for NAME NAME                  changes WM_TRANSIENT_FOR; also "none"
 *   class NAME CLASS               changes WM_CLASS
 *   type NAME WORD                 changes _NET_WM_WINDOW_TYPE
 *   title NAME TEXT                changes the title
 *   move NAME X Y                  asks to be moved
 *   fullscreen NAME yes|no         asks the window manager for it
 *   activate NAME                  asks the window manager for it, as a task bar does
 *   pretend NAME                   says in its place that this one is active; also "none". What it has still to do
 *                                    for other lines takes that back
 *   close NAME
 *   storm COUNT                    opens, pretends, and closes as many as fast as it can
 *   manager                        answers the number of a living window manager's own window, or 0
 *   active                         answers the number of the active window, or 0
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xcb/xcb.h>

enum { MAX_WINDOWS = 64, MAX_NAME = 32, MAX_WORDS = 16 };
enum { HINT_WORDS = 9, HINT_GROUP_BIT = 1 << 6, HINT_INPUT_BIT = 1 };
enum { FROM_A_PAGER = 2 };

static xcb_connection_t *connection;
static xcb_screen_t *screen;
static struct {
    char name[MAX_NAME];
    xcb_window_t id;
} windows[MAX_WINDOWS];

static void fail(const char *sentence, const char *word)
{
    fprintf(stderr, "window: %s %s\n", sentence, word);
    exit(1);
}

static xcb_atom_t atom(const char *name)
{
    xcb_intern_atom_reply_t *reply = xcb_intern_atom_reply(
        connection, xcb_intern_atom(connection, 0, (uint16_t) strlen(name), name), NULL);
    xcb_atom_t found = reply ? reply->atom : XCB_ATOM_NONE;

    free(reply);
    return found;
}

static int slot_of(const char *name)
{
    for (int i = 0; i < MAX_WINDOWS; i++)
        if (windows[i].id && strcmp(windows[i].name, name) == 0)
            return i;
    return -1;
}

static xcb_window_t window_of(const char *name)
{
    int slot = slot_of(name);

    if (strcmp(name, "none") == 0)
        return XCB_NONE;
    if (strcmp(name, "root") == 0)
        return screen->root;
    if (slot < 0)
        fail("there is no window", name);
    return windows[slot].id;
}

/* ------------------------------------------------------------- what a window says of itself */

static void set_words(xcb_window_t id, xcb_atom_t property, xcb_atom_t type, uint32_t count,
                      const uint32_t *words)
{
    xcb_change_property(connection, XCB_PROP_MODE_REPLACE, id, property, type, 32, count, words);
}

static void set_text(xcb_window_t id, xcb_atom_t property, xcb_atom_t type, const char *text, size_t size)
{
    xcb_change_property(connection, XCB_PROP_MODE_REPLACE, id, property, type, 8, (uint32_t) size, text);
}

static void set_class(xcb_window_t id, const char *class)
{
    char both[256];
    int size = snprintf(both, sizeof both, "%s-window%c%s%c", class, 0, class, 0);

    set_text(id, XCB_ATOM_WM_CLASS, XCB_ATOM_STRING, both, (size_t) size);
}

static void set_type(xcb_window_t id, const char *word)
{
    char name[64];
    uint32_t type;

    snprintf(name, sizeof name, "_NET_WM_WINDOW_TYPE_%s", word);
    type = atom(name);
    set_words(id, atom("_NET_WM_WINDOW_TYPE"), XCB_ATOM_ATOM, 1, &type);
}

static void set_owner(xcb_window_t id, const char *name)
{
    uint32_t owner = strcmp(name, "itself") == 0 ? id : window_of(name);

    set_words(id, XCB_ATOM_WM_TRANSIENT_FOR, XCB_ATOM_WINDOW, 1, &owner);
}

static void set_group(xcb_window_t id, const char *name)
{
    uint32_t hints[HINT_WORDS] = { HINT_INPUT_BIT | HINT_GROUP_BIT, 1 };

    hints[HINT_WORDS - 1] = strcmp(name, "itself") == 0 ? id : window_of(name);
    set_words(id, XCB_ATOM_WM_HINTS, XCB_ATOM_WM_HINTS, HINT_WORDS, hints);
}

/* ------------------------------------------------------------- what it asks for */

static void ask_manager(xcb_window_t id, const char *what, uint32_t first, uint32_t second)
{
    xcb_client_message_event_t message = { .response_type = XCB_CLIENT_MESSAGE, .format = 32 };

    message.window = id;
    message.type = atom(what);
    message.data.data32[0] = first;
    message.data.data32[1] = second;
    message.data.data32[3] = 1;
    xcb_send_event(connection, 0, screen->root,
                   XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY | XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT,
                   (const char *) &message);
}

static void pretend(xcb_window_t id)
{
    set_words(screen->root, atom("_NET_ACTIVE_WINDOW"), XCB_ATOM_WINDOW, 1, &id);
}

static void move(xcb_window_t id, const char *x, const char *y)
{
    const uint32_t place[] = { (uint32_t) atoi(x), (uint32_t) atoi(y) };

    xcb_configure_window(connection, id, XCB_CONFIG_WINDOW_X | XCB_CONFIG_WINDOW_Y, place);
}

/* ------------------------------------------------------------- what the window manager says */

static xcb_window_t window_in(xcb_window_t id, const char *property)
{
    xcb_get_property_reply_t *reply = xcb_get_property_reply(
        connection,
        xcb_get_property(connection, 0, id, atom(property), XCB_ATOM_WINDOW, 0, 1), NULL);
    xcb_window_t found = XCB_NONE;

    if (reply && xcb_get_property_value_length(reply) == sizeof found)
        memcpy(&found, xcb_get_property_value(reply), sizeof found);
    free(reply);
    return found;
}

static xcb_window_t manager(void)
{
    xcb_window_t check = window_in(screen->root, "_NET_SUPPORTING_WM_CHECK");

    return check && window_in(check, "_NET_SUPPORTING_WM_CHECK") == check ? check : XCB_NONE;
}

/* ------------------------------------------------------------- opening and closing */

static const char *value_of(char **words, int count, const char *key, const char *otherwise)
{
    size_t length = strlen(key);

    for (int i = 0; i < count; i++)
        if (strncmp(words[i], key, length) == 0 && words[i][length] == '=')
            return words[i] + length + 1;
    return otherwise;
}

static xcb_window_t create(char **keys, int count)
{
    xcb_window_t id = xcb_generate_id(connection);
    int x = atoi(value_of(keys, count, "x", "100")), y = atoi(value_of(keys, count, "y", "100"));
    int w = atoi(value_of(keys, count, "w", "300")), h = atoi(value_of(keys, count, "h", "200"));
    /* The person's own choice of place, which window managers respect. */
    const uint32_t hints[18] = { 1 | 2, (uint32_t) x, (uint32_t) y, (uint32_t) w, (uint32_t) h };

    xcb_create_window(connection, XCB_COPY_FROM_PARENT, id, screen->root, (int16_t) x, (int16_t) y,
                      (uint16_t) w, (uint16_t) h, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT,
                      screen->root_visual, XCB_CW_BACK_PIXEL, &screen->white_pixel);
    set_words(id, XCB_ATOM_WM_NORMAL_HINTS, XCB_ATOM_WM_SIZE_HINTS, 18, hints);
    return id;
}

static void describe(xcb_window_t id, char **keys, int count)
{
    const char *type = value_of(keys, count, "type", NULL), *owner = value_of(keys, count, "for", NULL);
    const char *group = value_of(keys, count, "group", NULL), *name = value_of(keys, count, "id", NULL);
    uint32_t state = atom("_NET_WM_STATE_FULLSCREEN");

    if (type)
        set_type(id, type);
    if (owner)
        set_owner(id, owner);
    if (group)
        set_group(id, group);
    if (name)
        set_text(id, atom("_GTK_APPLICATION_ID"), atom("UTF8_STRING"), name, strlen(name));
    if (value_of(keys, count, "fullscreen", NULL))
        set_words(id, atom("_NET_WM_STATE"), XCB_ATOM_ATOM, 1, &state);
}

static xcb_window_t open_window(const char *name, const char *class, char **keys, int count)
{
    int slot = 0;

    while (slot < MAX_WINDOWS && windows[slot].id)
        slot++;
    if (slot == MAX_WINDOWS)
        fail("there are too many windows for", name);
    windows[slot].id = create(keys, count);
    snprintf(windows[slot].name, MAX_NAME, "%s", name);
    set_class(windows[slot].id, class);
    describe(windows[slot].id, keys, count);
    xcb_map_window(connection, windows[slot].id);
    return windows[slot].id;
}

static void close_window(const char *name)
{
    int slot = slot_of(name);

    xcb_destroy_window(connection, window_of(name));
    windows[slot].id = XCB_NONE;
}

/* Half of them are gone before anybody can have looked at them. */
static void storm(int count)
{
    char class[MAX_NAME];

    for (int i = 0; i < count; i++) {
        snprintf(class, sizeof class, "Storm%d", i);
        pretend(open_window("storm", class, NULL, 0));
        if (i % 2)
            xcb_flush(connection);
        close_window("storm");
    }
}

/* ------------------------------------------------------------- the lines */

static int is(char **words, int count, const char *verb, int needed)
{
    return count >= needed && strcmp(words[0], verb) == 0;
}

static xcb_window_t perform(char **words, int count)
{
    if (is(words, count, "open", 3))
        return open_window(words[1], words[2], words + 3, count - 3);
    if (is(words, count, "manager", 1))
        return manager();
    if (is(words, count, "active", 1))
        return window_in(screen->root, "_NET_ACTIVE_WINDOW");
    if (is(words, count, "for", 3))
        set_owner(window_of(words[1]), words[2]);
    else if (is(words, count, "class", 3))
        set_class(window_of(words[1]), words[2]);
    else if (is(words, count, "type", 3))
        set_type(window_of(words[1]), words[2]);
    else if (is(words, count, "title", 3))
        set_text(window_of(words[1]), XCB_ATOM_WM_NAME, XCB_ATOM_STRING, words[2], strlen(words[2]));
    else if (is(words, count, "move", 4))
        move(window_of(words[1]), words[2], words[3]);
    else if (is(words, count, "fullscreen", 3))
        ask_manager(window_of(words[1]), "_NET_WM_STATE", strcmp(words[2], "yes") == 0,
                    atom("_NET_WM_STATE_FULLSCREEN"));
    else if (is(words, count, "activate", 2))
        ask_manager(window_of(words[1]), "_NET_ACTIVE_WINDOW", FROM_A_PAGER, XCB_CURRENT_TIME);
    else if (is(words, count, "pretend", 2))
        pretend(window_of(words[1]));
    else if (is(words, count, "close", 2))
        close_window(words[1]);
    else if (is(words, count, "storm", 2))
        storm(atoi(words[1]));
    else
        fail("cannot do:", words[0]);
    return XCB_NONE;
}

static void drop_events(void)
{
    xcb_generic_event_t *event;

    while ((event = xcb_poll_for_event(connection)))
        free(event);
}

int main(void)
{
    char line[1024];

    connection = xcb_connect(NULL, NULL);
    if (xcb_connection_has_error(connection))
        fail("there is no X server at", "DISPLAY");
    screen = xcb_setup_roots_iterator(xcb_get_setup(connection)).data;
    while (fgets(line, sizeof line, stdin)) {
        char *words[MAX_WORDS], *rest = line;
        int count = 0;
        xcb_window_t id;

        while (count < MAX_WORDS && (words[count] = strtok_r(rest, " \n", &rest)))
            count++;
        if (!count)
            continue;
        id = perform(words, count);
        free(xcb_get_input_focus_reply(connection, xcb_get_input_focus(connection), NULL));
        drop_events();
        printf("done %u\n", id);
        fflush(stdout);
    }
    xcb_disconnect(connection);
    return 0;
}
