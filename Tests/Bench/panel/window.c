/* SPDX-License-Identifier: MIT */
/*
 * window: plain windows of simulated applications, under the current window manager.
 *
 * It reads lines on stdin, answers each with "done" when the X server has carried it out, and ends with
 * stdin. NAME is any word; the second word of the answer is the number of the window.
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
 *   title NAME TEXT [net]          changes the title: WM_NAME, or _NET_WM_NAME
 *   move NAME X Y                  asks to be moved
 *   fullscreen NAME yes|no         asks the window manager for it
 *   activate NAME                  asks the window manager for it, as a task bar does
 *   pretend NAME                   sets _NET_ACTIVE_WINDOW in its place; also "none". Its pending work
 *                                    for other lines overrides that
 *   close NAME
 *   storm COUNT                    opens, pretends, and closes as many as fast as it can
 *   manager                        answers the number of a living window manager's own window, or 0
 *   active                         answers the number of the active window, or 0
 */
#define PROGRAM "window"
#include "xserver.h"

#include <X11/Xatom.h>
#include <X11/Xlibint.h>
#include <X11/Xutil.h>
#include <setjmp.h>
#include <string.h>
#include <unistd.h>

enum { MAX_WINDOWS = 64, MAX_NAME = 32, MAX_WORDS = 16 };
enum { FROM_A_PAGER = 2 };
/* Half of a client's 2,097,152 XIDs. */
enum { XIDS_OF_A_PROGRAM = 512, PROGRAMS = 2048 };

static jmp_buf server_is_gone;
static struct {
    char name[MAX_NAME];
    Window id;
} windows[MAX_WINDOWS];

static void fail_at(const char *sentence, const char *word)
{
    fprintf(stderr, "window: %s %s\n", sentence, word);
    exit(1);
}

static Atom atom(const char *name)
{
    return XInternAtom(display, name, False);
}

static int slot_of(const char *name)
{
    for (int i = 0; i < MAX_WINDOWS; i++)
        if (windows[i].id && strcmp(windows[i].name, name) == 0)
            return i;
    return -1;
}

static Window window_of(const char *name)
{
    int slot = slot_of(name);

    if (strcmp(name, "none") == 0)
        return None;
    if (strcmp(name, "root") == 0)
        return root;
    if (slot < 0)
        fail_at("there is no window", name);
    return windows[slot].id;
}

/* ------------------------------------------------------------- properties of a window */

static void set_value(Window id, const char *property, Atom type, unsigned long value)
{
    XChangeProperty(display, id, atom(property), type, 32, PropModeReplace, (unsigned char *) &value, 1);
}

static void set_class(Window id, const char *class)
{
    char name[256];
    XClassHint hint = { name, (char *) class };

    snprintf(name, sizeof name, "%s-window", class);
    XSetClassHint(display, id, &hint);
}

static void set_type(Window id, const char *word)
{
    char name[64];

    snprintf(name, sizeof name, "_NET_WM_WINDOW_TYPE_%s", word);
    set_value(id, "_NET_WM_WINDOW_TYPE", XA_ATOM, atom(name));
}

static void set_owner(Window id, const char *name)
{
    XSetTransientForHint(display, id, strcmp(name, "itself") == 0 ? id : window_of(name));
}

static void set_group(Window id, const char *name)
{
    XWMHints hints = { .flags = InputHint | WindowGroupHint, .input = True };

    hints.window_group = strcmp(name, "itself") == 0 ? id : window_of(name);
    XSetWMHints(display, id, &hints);
}

/* ------------------------------------------------------------- requests to the window manager */

static void ask_manager(Window id, const char *what, unsigned long first, unsigned long second)
{
    XEvent message = { .xclient = { .type = ClientMessage, .window = id, .format = 32 } };

    message.xclient.message_type = atom(what);
    message.xclient.data.l[0] = (long) first;
    message.xclient.data.l[1] = (long) second;
    message.xclient.data.l[3] = 1;
    XSendEvent(display, root, False, SubstructureNotifyMask | SubstructureRedirectMask, &message);
}

static void pretend(Window id)
{
    set_value(root, "_NET_ACTIVE_WINDOW", XA_WINDOW, id);
}

/* ------------------------------------------------------------- answers of the window manager */

static Window window_in(Window id, const char *property)
{
    Atom type = None;
    int format = 0;
    unsigned long count = 0, after;
    unsigned char *value = NULL;
    Window found = None;

    if (!XGetWindowProperty(display, id, atom(property), 0, 1, False, XA_WINDOW, &type, &format, &count, &after,
                            &value) &&
        type == XA_WINDOW && format == 32 && count == 1)
        found = *(Window *) value;
    XFree(value);
    return found;
}

static Window manager(void)
{
    Window check = window_in(root, "_NET_SUPPORTING_WM_CHECK");

    return check && window_in(check, "_NET_SUPPORTING_WM_CHECK") == check ? check : None;
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

static Window create(char **keys, int count)
{
    int x = atoi(value_of(keys, count, "x", "100")), y = atoi(value_of(keys, count, "y", "100"));
    int w = atoi(value_of(keys, count, "w", "300")), h = atoi(value_of(keys, count, "h", "200"));
    /* A place chosen by the user, which window managers respect. */
    XSizeHints hints = { .flags = USPosition | USSize, .x = x, .y = y, .width = w, .height = h };
    Window id = XCreateSimpleWindow(display, root, x, y, (unsigned) w, (unsigned) h, 0, 0,
                                    WhitePixel(display, DefaultScreen(display)));

    XSetWMNormalHints(display, id, &hints);
    return id;
}

static void describe(Window id, char **keys, int count)
{
    const char *type = value_of(keys, count, "type", NULL), *owner = value_of(keys, count, "for", NULL);
    const char *group = value_of(keys, count, "group", NULL), *name = value_of(keys, count, "id", NULL);

    if (type)
        set_type(id, type);
    if (owner)
        set_owner(id, owner);
    if (group)
        set_group(id, group);
    if (name)
        XChangeProperty(display, id, atom("_GTK_APPLICATION_ID"), atom("UTF8_STRING"), 8, PropModeReplace,
                        (const unsigned char *) name, (int) strlen(name));
    if (value_of(keys, count, "fullscreen", NULL))
        set_value(id, "_NET_WM_STATE", XA_ATOM, atom("_NET_WM_STATE_FULLSCREEN"));
}

static Window open_window(const char *name, const char *class, char **keys, int count)
{
    int slot = 0;

    while (slot < MAX_WINDOWS && windows[slot].id)
        slot++;
    if (slot == MAX_WINDOWS)
        fail_at("there are too many windows for", name);
    windows[slot].id = create(keys, count);
    snprintf(windows[slot].name, MAX_NAME, "%s", name);
    set_class(windows[slot].id, class);
    describe(windows[slot].id, keys, count);
    XMapWindow(display, windows[slot].id);
    return windows[slot].id;
}

static void close_window(const char *name)
{
    int slot = slot_of(name);

    XDestroyWindow(display, window_of(name));
    windows[slot].id = None;
}

static void set_title(Window window, const char *title, int is_net)
{
    if (is_net)
        XChangeProperty(display, window, atom("_NET_WM_NAME"), atom("UTF8_STRING"), 8, PropModeReplace,
                        (const unsigned char *)title, (int)strlen(title));
    else
        XStoreName(display, window, title);
}

/* Half of them are closed before anybody can have queried them. */
static void storm(int count)
{
    char class[MAX_NAME];

    for (int i = 0; i < count; i++) {
        snprintf(class, sizeof class, "Storm%d", i);
        pretend(open_window("storm", class, NULL, 0));
        if (i % 2)
            XFlush(display);
        close_window("storm");
    }
}

/* ------------------------------------------------------------- input lines */

static int is(char **words, int count, const char *verb, int needed)
{
    return count >= needed && strcmp(words[0], verb) == 0;
}

static Window perform(char **words, int count)
{
    if (is(words, count, "open", 3))
        return open_window(words[1], words[2], words + 3, count - 3);
    if (is(words, count, "manager", 1))
        return manager();
    if (is(words, count, "active", 1))
        return window_in(root, "_NET_ACTIVE_WINDOW");
    if (is(words, count, "for", 3))
        set_owner(window_of(words[1]), words[2]);
    else if (is(words, count, "class", 3))
        set_class(window_of(words[1]), words[2]);
    else if (is(words, count, "type", 3))
        set_type(window_of(words[1]), words[2]);
    else if (is(words, count, "title", 3))
        set_title(window_of(words[1]), words[2], count > 3);
    else if (is(words, count, "move", 4))
        XMoveWindow(display, window_of(words[1]), atoi(words[2]), atoi(words[3]));
    else if (is(words, count, "fullscreen", 3))
        ask_manager(window_of(words[1]), "_NET_WM_STATE", strcmp(words[2], "yes") == 0,
                    atom("_NET_WM_STATE_FULLSCREEN"));
    else if (is(words, count, "activate", 2))
        ask_manager(window_of(words[1]), "_NET_ACTIVE_WINDOW", FROM_A_PAGER, CurrentTime);
    else if (is(words, count, "pretend", 2))
        pretend(window_of(words[1]));
    else if (is(words, count, "close", 2))
        close_window(words[1]);
    else if (is(words, count, "storm", 2))
        storm(atoi(words[1]));
    else
        fail_at("cannot do:", words[0]);
    return None;
}

static void drop_events(void)
{
    XEvent event;

    while (XPending(display))
        XNextEvent(display, &event);
}

static void carry_out(char *line)
{
    char *words[MAX_WORDS], *rest = line;
    int count = 0;
    Window id;

    while (count < MAX_WORDS && (words[count] = strtok_r(rest, " \n", &rest)))
        count++;
    if (!count)
        return;
    id = perform(words, count);
    XSync(display, False);
    drop_events();
    printf("done %lu\n", id);
    fflush(stdout);
}

/* The X server gives the XIDs of a client that has ended to the next one. openbox, when it is late, takes a new window for
 * a closed one of the same XID, and does not manage it. */
static void skip_xids_of_other_programs(void)
{
    XID skipped[XIDS_OF_A_PROGRAM];

    LockDisplay(display);
    for (int i = getpid() % PROGRAMS; i > 0; i--)
        _XAllocIDs(display, skipped, XIDS_OF_A_PROGRAM);
    UnlockDisplay(display);
    XAllocID(display); /* Xlib had this one in advance. */
}

static int leave_server(Display *of)
{
    (void) of;
    longjmp(server_is_gone, 1);
}

/* Its windows have ended with the server, so every request is answered. */
static void answer_without_server(void)
{
    char line[1024];

    do {
        printf("done 0\n");
        fflush(stdout);
    } while (fgets(line, sizeof line, stdin));
}

int main(void)
{
    char line[1024];

    connect_to_server();
    skip_xids_of_other_programs();
    XSetIOErrorHandler(leave_server);
    if (setjmp(server_is_gone)) {
        answer_without_server();
        return 0;
    }
    while (fgets(line, sizeof line, stdin))
        carry_out(line);
    return 0;
}
