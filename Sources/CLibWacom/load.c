// SPDX-License-Identifier: MIT
#include "CLibWacom.h"

#include "CLoader.h"

static struct clibwacom functions;

static const struct cloader_symbol symbols[] = {
#define SYMBOL(name) {"libwacom_" #name, offsetof(struct clibwacom, name)}
    SYMBOL(database_new),
    SYMBOL(database_destroy),
    SYMBOL(new_from_path),
    SYMBOL(new_from_usbid),
    SYMBOL(destroy),
    SYMBOL(list_devices_from_database),
    SYMBOL(get_vendor_id),
    SYMBOL(get_product_id),
    SYMBOL(get_integration_flags),
    SYMBOL(get_paired_device),
    SYMBOL(match_get_vendor_id),
    SYMBOL(match_get_product_id),
#undef SYMBOL
    {0}};

static struct cloader_library library = {"libwacom.so.9", symbols, &functions, NULL, false};

const struct clibwacom *clibwacom_load(void) { return cloader_load(&library); }
