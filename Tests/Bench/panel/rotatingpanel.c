/* SPDX-License-Identifier: MIT */
/*
 * rotatingpanel: an Xorg module for tests. The dummy video driver draws to memory and cannot rotate;
 * this module gives it what a notebook has:
 *
 *   - rotation: each CRTC gets a shadow, so that the server's own rotation code serves it;
 *   - outputs with real names, sizes and connector types, plugged and unplugged by a file;
 *   - monitors that can be blanked (DPMS);
 *   - the pixels a rotated panel would show, in a file, for as long as it is rotated.
 *
 * Options:
 *   Outputs           "eDP-1:256x160,HDMI-1:520x390"   name:millimetres, in the driver's order
 *   Directory         where the files are:
 *                       connected            names of the plugged outputs; read at every probe
 *                       refuse               while it exists, every rotation but `normal` fails
 *                       refuse-modes         while it exists, every mode fails, as without DRM master: a CRTC that is
 *                                            switched off stays off
 *                       panel-N.WxH.bgrx     the pixels of CRTC N while it is rotated
 *   PanelOrientation  value of the first output's "panel orientation", as DRM sets it
 */
#include <xorg-server.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <X11/Xatom.h>
#include <dixstruct.h>
#include <extension.h>
#include <extnsionst.h>
#include <property.h>
#include <randrstr.h>
#include <scrnintstr.h>
#include <xf86.h>
#include <xf86Crtc.h>
#include <xf86Module.h>
#include <xf86RandR12.h>

#include <X11/extensions/dpmsconst.h>
#include <X11/extensions/dpmsproto.h>

#define PATH_LENGTH 256
#define BYTES_PER_PIXEL 4
#define ALL_ROTATIONS \
    (RR_Rotate_0 | RR_Rotate_90 | RR_Rotate_180 | RR_Rotate_270 | RR_Reflect_X | RR_Reflect_Y)

static char *output_list;
static char *directory;
static char *panel_orientation;

/* ------------------------------------------------------------------ rotation */

typedef struct {
    char path[PATH_LENGTH];
    size_t bytes;
    int bytes_per_row;
    void *pixels;
} Scanout;

static Bool path_in_directory(char *path, const char *name)
{
    int length = snprintf(path, PATH_LENGTH, "%s/%s", directory ? directory : ".", name);
    return length > 0 && length < PATH_LENGTH;
}

static int number_of(xf86CrtcPtr crtc)
{
    xf86CrtcConfigPtr config = XF86_CRTC_CONFIG_PTR(crtc->scrn);
    int number = 0;

    while (number < config->num_crtc && config->crtc[number] != crtc)
        number++;
    return number;
}

static Bool file_is_there(const char *name)
{
    char path[PATH_LENGTH];
    return path_in_directory(path, name) && access(path, F_OK) == 0;
}

static Bool map_scanout(Scanout *scanout)
{
    int file = open(scanout->path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    if (file < 0)
        return FALSE;
    scanout->pixels = MAP_FAILED;
    if (ftruncate(file, (off_t) scanout->bytes) == 0)
        scanout->pixels =
            mmap(NULL, scanout->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    return scanout->pixels != MAP_FAILED;
}

static void *allocate_scanout(xf86CrtcPtr crtc, int width, int height)
{
    char name[64];
    Scanout *scanout;

    if (file_is_there("refuse") || !(scanout = calloc(1, sizeof *scanout)))
        return NULL;
    snprintf(name, sizeof name, "panel-%d.%dx%d.bgrx", number_of(crtc), width, height);
    scanout->bytes_per_row = width * BYTES_PER_PIXEL;
    scanout->bytes = (size_t) scanout->bytes_per_row * (size_t) height;
    if (!path_in_directory(scanout->path, name) || !map_scanout(scanout)) {
        free(scanout);
        return NULL;
    }
    return scanout;
}

static PixmapPtr wrap_scanout(xf86CrtcPtr crtc, void *data, int width, int height)
{
    ScrnInfoPtr screen = crtc->scrn;
    Scanout *scanout = data ? data : allocate_scanout(crtc, width, height);

    if (!scanout)
        return NULL;
    return GetScratchPixmapHeader(screen->pScreen, width, height, screen->depth,
                                  screen->bitsPerPixel, scanout->bytes_per_row, scanout->pixels);
}

static void destroy_scanout(xf86CrtcPtr crtc, PixmapPtr pixmap, void *data)
{
    Scanout *scanout = data;

    if (pixmap)
        FreeScratchPixmapHeader(pixmap);
    if (!scanout)
        return;
    munmap(scanout->pixels, scanout->bytes);
    unlink(scanout->path);
    free(scanout);
}

static Bool (*fix_mode_up)(xf86CrtcPtr, DisplayModePtr, DisplayModePtr);

static Bool refuse_or_fix_mode_up(xf86CrtcPtr crtc, DisplayModePtr mode, DisplayModePtr adjusted)
{
    return !file_is_there("refuse-modes") && fix_mode_up(crtc, mode, adjusted);
}

static void allow_rotation(ScreenPtr screen, xf86CrtcConfigPtr config)
{
    for (int i = 0; i < config->num_crtc; i++) {
        xf86CrtcFuncsRec *functions = malloc(sizeof *functions);

        if (!functions)
            FatalError("rotatingpanel: out of memory\n");
        *functions = *config->crtc[i]->funcs;
        functions->shadow_allocate = allocate_scanout;
        functions->shadow_create = wrap_scanout;
        functions->shadow_destroy = destroy_scanout;
        fix_mode_up = functions->mode_fixup;
        functions->mode_fixup = refuse_or_fix_mode_up;
        config->crtc[i]->funcs = functions;
    }
    xf86RandR12SetRotations(screen, ALL_ROTATIONS);
    xf86RandR12SetTransformSupport(screen, TRUE);
}

/* ------------------------------------------------------------------- outputs */

static Bool list_contains(char *list, const char *name)
{
    char *rest = NULL;

    for (char *word = strtok_r(list, " ,\t\n", &rest); word; word = strtok_r(NULL, " ,\t\n", &rest))
        if (strcmp(word, name) == 0)
            return TRUE;
    return FALSE;
}

static xf86OutputStatus detect(xf86OutputPtr output)
{
    char path[PATH_LENGTH], list[1024];
    FILE *file = path_in_directory(path, "connected") ? fopen(path, "re") : NULL;
    size_t length;

    if (!file)
        return XF86OutputStatusDisconnected;
    length = fread(list, 1, sizeof list - 1, file);
    fclose(file);
    list[length] = '\0';
    return list_contains(list, output->name) ? XF86OutputStatusConnected
                                             : XF86OutputStatusDisconnected;
}

static void detect_by_file(xf86OutputPtr output)
{
    xf86OutputFuncsRec *functions = malloc(sizeof *functions);

    if (!functions)
        FatalError("rotatingpanel: out of memory\n");
    *functions = *output->funcs;
    functions->detect = detect;
    output->funcs = functions;
}

/* An unchangeable property whose one valid value is a word, like those of kernel drivers. */
static void set_word_property(RROutputPtr output, const char *property, const char *word)
{
    Atom name = MakeAtom(property, strlen(property), TRUE);
    INT32 value = (INT32) MakeAtom(word, strlen(word), TRUE);

    RRConfigureOutputProperty(output, name, FALSE, FALSE, TRUE, 1, &value);
    RRChangeOutputProperty(output, name, XA_ATOM, 32, PropModeReplace, 1, &value, FALSE, FALSE);
}

static const char *connector_type(const char *name)
{
    static const struct {
        const char *prefix, *type;
    } known[] = { { "eDP", "Panel" }, { "LVDS", "Panel" }, { "DSI", "Panel" },
                  { "HDMI", "HDMI" }, { "DP", "DisplayPort" } };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(name, known[i].prefix, strlen(known[i].prefix)) == 0)
            return known[i].type;
    return "unknown";
}

static void describe_output(xf86OutputPtr output, const char *name, int width_mm, int height_mm)
{
    RROutputPtr offered = output->randr_output;

    xf86OutputRename(output, name);
    output->mm_width = width_mm;
    output->mm_height = height_mm;
    if (!offered)
        return;
    /* The server keeps the first name inside the output's own block: it must not be freed. */
    offered->name = strdup(name);
    offered->nameLength = (int) strlen(name);
    RROutputSetPhysicalSize(offered, width_mm, height_mm);
    set_word_property(offered, "ConnectorType", connector_type(name));
}

static void describe_outputs(xf86CrtcConfigPtr config)
{
    char *list = strdup(output_list ? output_list : ""), *rest = NULL;
    char *word = list ? strtok_r(list, ", ", &rest) : NULL;

    for (int i = 0; i < config->num_output; i++) {
        char name[32];
        int width_mm = 0, height_mm = 0;

        detect_by_file(config->output[i]);
        if (!word)
            continue;
        if (sscanf(word, "%31[^:]:%dx%d", name, &width_mm, &height_mm) >= 1)
            describe_output(config->output[i], name, width_mm, height_mm);
        word = strtok_r(NULL, ", ", &rest);
    }
    free(list);
}

/* --------------------------------------------------------------------- power */

/*
 * DPMS 1.2, as far as the tests' clients use it. The server's own extension is added only if the video driver can
 * blank its monitors, before this module is initialised. Pixels stay unchanged while blanked.
 *
 * As in Xorg 21.1, it reports 1.2 and refuses events, and the screen saver goes along with the power.
 */
static CARD16 power_level;

static int answer(ClientPtr client, void *reply)
{
    ((xGenericReply *) reply)->type = X_Reply;
    ((xGenericReply *) reply)->sequenceNumber = (CARD16) client->sequence;
    WriteToClient(client, sizeof(xGenericReply), reply);
    return Success;
}

static void save_screens(ClientPtr client, Bool wanted)
{
    if (wanted != (screenIsSaved == SCREEN_SAVER_ON))
        dixSaveScreens(client, SCREEN_SAVER_FORCER, wanted ? ScreenSaverActive : ScreenSaverReset);
}

static void set_power_level(ClientPtr client, CARD16 level)
{
    if (level == power_level)
        return;
    power_level = level;
    save_screens(client, level != DPMSModeOn);
}

static int dispatch_power(ClientPtr client)
{
    xDPMSGetVersionReply version = { .majorVersion = 1, .minorVersion = 2 };
    xDPMSCapableReply capable = { .capable = TRUE };
    xDPMSGetTimeoutsReply timeouts = { .standby = 0 };
    xDPMSInfoReply info = { .power_level = power_level, .state = TRUE };

    switch (((xReq *) client->requestBuffer)->data) {
    case X_DPMSGetVersion: return answer(client, &version);
    case X_DPMSCapable: return answer(client, &capable);
    case X_DPMSInfo: return answer(client, &info);
    case X_DPMSGetTimeouts: return answer(client, &timeouts);
    case X_DPMSEnable: return Success;
    case X_DPMSForceLevel:
        set_power_level(client, ((xDPMSForceLevelReq *) client->requestBuffer)->level);
        return Success;
    default: return BadRequest;
    }
}

/* -------------------------------------------------------------------- module */

/* Extensions start after the video driver has made its screen and before clients connect: this module is initialised between. */
static void start(void)
{
    for (int i = 0; i < screenInfo.numScreens && xf86CrtcConfigPrivateIndex >= 0; i++) {
        ScreenPtr screen = screenInfo.screens[i];
        xf86CrtcConfigPtr config = XF86_CRTC_CONFIG_PTR(xf86ScreenToScrn(screen));

        if (!config || config->num_output == 0)
            continue;
        allow_rotation(screen, config);
        describe_outputs(config);
        if (panel_orientation && config->output[0]->randr_output)
            set_word_property(config->output[0]->randr_output, "panel orientation",
                              panel_orientation);
    }
    AddExtension("DPMS", 0, 0, dispatch_power, dispatch_power, NULL, StandardMinorOpcode);
}

static const ExtensionModule extension = { start, "TURNING-PANEL", NULL };

static void *set_up(void *module, void *options, int *major_error, int *minor_error)
{
    static Bool loaded = FALSE;

    if (loaded) {
        if (major_error)
            *major_error = LDR_ONCEONLY;
        return NULL;
    }
    loaded = TRUE;
    output_list = xf86SetStrOption(options, "Outputs", NULL);
    directory = xf86SetStrOption(options, "Directory", NULL);
    panel_orientation = xf86SetStrOption(options, "PanelOrientation", NULL);
    LoadExtensionList(&extension, 1, FALSE);
    return module;
}

static XF86ModuleVersionInfo version = {
    .modname = "rotatingpanel",
    .vendor = "autorotate",
    ._modinfo1_ = MODINFOSTRING1,
    ._modinfo2_ = MODINFOSTRING2,
    .xf86version = XORG_VERSION_CURRENT,
    .majorversion = 1,
    .abiclass = ABI_CLASS_EXTENSION,
    .abiversion = ABI_EXTENSION_VERSION,
    .moduleclass = MOD_CLASS_EXTENSION,
};

_X_EXPORT XF86ModuleData rotatingpanelModuleData = { &version, set_up, NULL };
