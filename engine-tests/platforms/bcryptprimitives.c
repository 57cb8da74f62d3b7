// The only function of bcryptprimitives.dll that Rust's standard library imports, for versions of wine
// without this library: random bytes from the older interface in advapi32, by its documented name.
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
