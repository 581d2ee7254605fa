#pragma once
#include <linux/types.h>
#include <string.h>
#include <sys/ioctl.h>

// The part of the kernel's interface for displays that is used here. Its headers are in libdrm, which is not needed for
// three calls; their layout never changes.
struct drm_resources {
    __u64 framebuffers, crtcs, connectors, encoders;
    __u32 framebuffer_count, crtc_count, connector_count, encoder_count, limits[4];
};
struct drm_connector {
    __u64 encoders, modes, properties, values;
    __u32 mode_count, property_count, encoder_count, encoder, id, type, number, state[5];
};
struct drm_property {
    __u64 values, names;
    __u32 id, flags;
    char name[32];
    __u32 value_count, name_count;
};
_Static_assert(sizeof(struct drm_resources) == 64 && sizeof(struct drm_connector) == 80 && sizeof(struct drm_property) == 64,
               "not the kernel's layout");

#define DRM_READ_RESOURCES _IOWR('d', 0xA0, struct drm_resources)
#define DRM_READ_CONNECTOR _IOWR('d', 0xA7, struct drm_connector)
#define DRM_READ_PROPERTY _IOWR('d', 0xAA, struct drm_property)
#define DRM_DROP_MASTER _IO('d', 0x1f)

enum { drm_most = 64 };

// Returns the value of the connector's "panel orientation": 0 for normal, 1 upside down, 2 left side up, 3 right side
// up. The kernel leaves it out for a panel that is not in its table.
static inline int drm_orientation(int card, const struct drm_connector *connector, const __u32 *properties,
                                  const __u64 *values) {
    for (__u32 i = 0; i < connector->property_count && i < drm_most; i++) {
        struct drm_property property = {.id = properties[i]};
        if (ioctl(card, DRM_READ_PROPERTY, &property) == 0
            && strncmp(property.name, "panel orientation", sizeof property.name) == 0)
            return values[i] <= 3 ? (int)values[i] : 0;
    }
    return 0;
}

// Searches for a connector of this type and number, such as 14 (DRM_MODE_CONNECTOR_eDP) and 1 for "eDP-1". Needs only
// the permission to open the card, and causes no probing by the kernel. Returns -1 if the card does not have it.
static inline int drm_panel_orientation(int card, unsigned type, unsigned number) {
    __u32 ids[drm_most], properties[drm_most];
    __u64 values[drm_most];
    struct drm_resources all = {.connectors = (__u64)(size_t)ids, .connector_count = drm_most};
    // Opening a card without a master makes this process its master.
    ioctl(card, DRM_DROP_MASTER);
    if (ioctl(card, DRM_READ_RESOURCES, &all) != 0) return -1;
    for (__u32 i = 0; i < all.connector_count && i < drm_most; i++) {
        struct drm_connector connector = {
            .id = ids[i], .properties = (__u64)(size_t)properties, .values = (__u64)(size_t)values,
            .property_count = drm_most, .mode_count = 1};
        // With room for one mode the kernel only counts them; with room for none it would probe.
        unsigned char mode[68];
        connector.modes = (__u64)(size_t)mode;
        if (ioctl(card, DRM_READ_CONNECTOR, &connector) != 0 || connector.type != type || connector.number != number)
            continue;
        return drm_orientation(card, &connector, properties, values);
    }
    return -1;
}
