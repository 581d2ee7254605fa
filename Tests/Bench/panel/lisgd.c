/* SPDX-License-Identifier: MIT
 *
 * A stand-in for lisgd: writes its arguments, and, like lisgd, asks to be killed when its parent ends.
 *
 *   lisgd WORD...    appends the words as one line to $BENCH_DIR/lisgd, and keeps running
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(int argc, char *argv[])
{
	char path[4096];
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	snprintf(path, sizeof path, "%s/lisgd", getenv("BENCH_DIR"));
	FILE *file = fopen(path, "a");
	if (!file)
		return 1;
	fprintf(file, "%d", (int)getpid());
	for (int i = 1; i < argc; i++)
		fprintf(file, "|%s", argv[i]);
	fprintf(file, getenv("ORIENTATION") ? "|with the hook's environment\n" : "\n");
	fclose(file);
	pause();
}
