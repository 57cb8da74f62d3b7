// The one function of bcryptprimitives.dll that Rust's standard library imports, for a wine that lacks
// the library: random bytes from the older interface, under its documented name in advapi32.
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID bytes, ULONG count);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T count) {
    const ULONG most = 65536;
    for (SIZE_T done = 0; done < count;) {
        ULONG part = count - done > most ? most : (ULONG)(count - done);
        if (!SystemFunction036(bytes + done, part)) return FALSE;
        done += part;
    }
    return TRUE;
}
