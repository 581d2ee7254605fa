// In release builds these definitions replace libdispatch, which Swift's concurrency brings in for tasks: there are none,
// and the main actor does without (docs/decisions.md). The tables of libdispatch are 0.07 MB of memory in each process.
// If Swift needs more of it, the linker takes the library after all, since its definitions override weak ones.
#ifdef WITHOUT_DISPATCH
#include <stdlib.h>

#define UNUSED_FUNCTION(name) __attribute__((weak)) void name(void) { abort(); }
#define UNUSED_OBJECT(name) __attribute__((weak)) const void *const name = 0;

UNUSED_FUNCTION(dispatch_activate)
UNUSED_FUNCTION(dispatch_after_f)
UNUSED_FUNCTION(dispatch_assert_queue)
UNUSED_FUNCTION(dispatch_async_f)
UNUSED_FUNCTION(dispatch_main)
UNUSED_FUNCTION(dispatch_queue_attr_make_with_qos_class)
UNUSED_FUNCTION(dispatch_queue_create)
UNUSED_FUNCTION(dispatch_queue_set_width)
UNUSED_FUNCTION(dispatch_release)
UNUSED_FUNCTION(dispatch_set_context)
UNUSED_FUNCTION(dispatch_source_create)
UNUSED_FUNCTION(dispatch_source_set_event_handler_f)
UNUSED_FUNCTION(dispatch_source_set_timer)
UNUSED_FUNCTION(dispatch_walltime)
UNUSED_OBJECT(_dispatch_main_q)
UNUSED_OBJECT(_dispatch_queue_attr_concurrent)
UNUSED_OBJECT(_dispatch_source_type_timer)
#endif
