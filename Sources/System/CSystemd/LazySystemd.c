// SPDX-License-Identifier: Apache-2.0
//
// libsystemd, loaded when one of its functions is called for the first time. It brings seven libraries with it, and
// loading them would take a tenth of the time of a command such as `baton list`, which needs none.

// Its functions, and not the macros that add a place in the source.
#define SD_JOURNAL_SUPPRESS_LOCATION
#include "CSystemd.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

/// Returns the function. Null if there is no libsystemd, or one that is too old for it.
static void *function(const char *name)
{
    static _Atomic(void *) library;
    void *loaded = atomic_load(&library);
    if (loaded == NULL) {
        loaded = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
        if (loaded == NULL)
            return NULL;
        // Another thread may have loaded it meanwhile, and got the same handle.
        atomic_store(&library, loaded);
    }
    return dlsym(loaded, name);
}

/// `real` is the function of the library that has this one's name.
#define FIND(name)                                                                                                     \
    static _Atomic(void *) found;                                                                                      \
    void *symbol = atomic_load(&found);                                                                                \
    if (symbol == NULL)                                                                                                \
        atomic_store(&found, symbol = function(#name));                                                                \
    __typeof__(name) *real = (__typeof__(name) *)symbol

#define HIDDEN __attribute__((visibility("hidden")))

#define STATUS(name, parameters, arguments)                                                                            \
    HIDDEN int name parameters                                                                                         \
    {                                                                                                                  \
        FIND(name);                                                                                                    \
        return real == NULL ? -ENOSYS : real arguments;                                                                \
    }

#define POINTER(type, name, parameters, arguments)                                                                     \
    HIDDEN type name parameters                                                                                        \
    {                                                                                                                  \
        FIND(name);                                                                                                    \
        return real == NULL ? NULL : real arguments;                                                                   \
    }

#define VOID(name, parameters, arguments)                                                                              \
    HIDDEN void name parameters                                                                                        \
    {                                                                                                                  \
        FIND(name);                                                                                                    \
        if (real != NULL)                                                                                              \
            real arguments;                                                                                            \
    }

STATUS(sd_bus_add_match_async,
    (sd_bus *bus, sd_bus_slot **slot, const char *match, sd_bus_message_handler_t callback,
     sd_bus_message_handler_t install_callback, void *userdata),
    (bus, slot, match, callback, install_callback, userdata))
STATUS(sd_bus_add_object,
    (sd_bus *bus, sd_bus_slot **slot, const char *path, sd_bus_message_handler_t callback, void *userdata),
    (bus, slot, path, callback, userdata))
STATUS(sd_bus_call,
    (sd_bus *bus, sd_bus_message *m, uint64_t usec, sd_bus_error *ret_error, sd_bus_message **reply),
    (bus, m, usec, ret_error, reply))
STATUS(sd_bus_call_async,
    (sd_bus *bus, sd_bus_slot **slot, sd_bus_message *m, sd_bus_message_handler_t callback, void *userdata,
     uint64_t usec),
    (bus, slot, m, callback, userdata, usec))
VOID(sd_bus_close, (sd_bus *bus), (bus))
POINTER(sd_bus *, sd_bus_close_unref, (sd_bus *bus), (bus))
VOID(sd_bus_error_free, (sd_bus_error *e), (e))
STATUS(sd_bus_get_events, (sd_bus *bus), (bus))
STATUS(sd_bus_get_fd, (sd_bus *bus), (bus))
STATUS(sd_bus_get_timeout, (sd_bus *bus, uint64_t *timeout_usec), (bus, timeout_usec))
STATUS(sd_bus_get_unique_name, (sd_bus *bus, const char **unique), (bus, unique))
STATUS(sd_bus_is_open, (sd_bus *bus), (bus))
STATUS(sd_bus_is_ready, (sd_bus *bus), (bus))
STATUS(sd_bus_message_append_basic, (sd_bus_message *m, char type, const void *p), (m, type, p))
STATUS(sd_bus_message_close_container, (sd_bus_message *m), (m))
STATUS(sd_bus_message_enter_container, (sd_bus_message *m, char type, const char *contents), (m, type, contents))
STATUS(sd_bus_message_exit_container, (sd_bus_message *m), (m))
POINTER(const sd_bus_error *, sd_bus_message_get_error, (sd_bus_message *m), (m))
POINTER(const char *, sd_bus_message_get_interface, (sd_bus_message *m), (m))
POINTER(const char *, sd_bus_message_get_member, (sd_bus_message *m), (m))
POINTER(const char *, sd_bus_message_get_path, (sd_bus_message *m), (m))
POINTER(const char *, sd_bus_message_get_sender, (sd_bus_message *m), (m))
STATUS(sd_bus_message_has_signature, (sd_bus_message *m, const char *signature), (m, signature))
STATUS(sd_bus_message_is_method_error, (sd_bus_message *m, const char *name), (m, name))
STATUS(sd_bus_message_new_method_call,
    (sd_bus *bus, sd_bus_message **m, const char *destination, const char *path, const char *interface, const char
     *member),
    (bus, m, destination, path, interface, member))
STATUS(sd_bus_message_new_method_error, (sd_bus_message *call, sd_bus_message **m, const sd_bus_error *e), (call, m, e))
STATUS(sd_bus_message_new_method_return, (sd_bus_message *call, sd_bus_message **m), (call, m))
STATUS(sd_bus_message_open_container, (sd_bus_message *m, char type, const char *contents), (m, type, contents))
STATUS(sd_bus_message_peek_type, (sd_bus_message *m, char *type, const char **contents), (m, type, contents))
STATUS(sd_bus_message_read_basic, (sd_bus_message *m, char type, void *p), (m, type, p))
POINTER(sd_bus_message *, sd_bus_message_ref, (sd_bus_message *m), (m))
STATUS(sd_bus_message_set_auto_start, (sd_bus_message *m, int b), (m, b))
STATUS(sd_bus_message_skip, (sd_bus_message *m, const char *types), (m, types))
POINTER(sd_bus_message *, sd_bus_message_unref, (sd_bus_message *m), (m))
STATUS(sd_bus_new, (sd_bus **ret), (ret))
STATUS(sd_bus_open_system, (sd_bus **ret), (ret))
STATUS(sd_bus_open_user, (sd_bus **ret), (ret))
STATUS(sd_bus_process, (sd_bus *bus, sd_bus_message **r), (bus, r))
STATUS(sd_bus_send, (sd_bus *bus, sd_bus_message *m, uint64_t *cookie), (bus, m, cookie))
STATUS(sd_bus_set_address, (sd_bus *bus, const char *address), (bus, address))
STATUS(sd_bus_set_exit_on_disconnect, (sd_bus *bus, int b), (bus, b))
STATUS(sd_bus_set_method_call_timeout, (sd_bus *bus, uint64_t usec), (bus, usec))
POINTER(sd_bus_slot *, sd_bus_slot_unref, (sd_bus_slot *slot), (slot))
STATUS(sd_bus_start, (sd_bus *bus), (bus))
POINTER(sd_bus *, sd_bus_unref, (sd_bus *bus), (bus))
STATUS(sd_bus_wait, (sd_bus *bus, uint64_t timeout_usec), (bus, timeout_usec))
STATUS(sd_is_socket_inet,
    (int fd, int family, int type, int listening, uint16_t port),
    (fd, family, type, listening, port))
STATUS(sd_is_socket_unix,
    (int fd, int type, int listening, const char *path, size_t length),
    (fd, type, listening, path, length))
STATUS(sd_journal_sendv, (const struct iovec *iov, int n), (iov, n))
STATUS(sd_journal_stream_fd,
    (const char *identifier, int priority, int level_prefix),
    (identifier, priority, level_prefix))
STATUS(sd_listen_fds_with_names, (int unset_environment, char ***names), (unset_environment, names))
STATUS(sd_notify, (int unset_environment, const char *state), (unset_environment, state))
STATUS(sd_notify_barrier, (int unset_environment, uint64_t timeout), (unset_environment, timeout))
STATUS(sd_pid_notify_with_fds,
    (pid_t pid, int unset_environment, const char *state, const int *fds, unsigned n_fds),
    (pid, unset_environment, state, fds, n_fds))
STATUS(sd_watchdog_enabled, (int unset_environment, uint64_t *usec), (unset_environment, usec))
