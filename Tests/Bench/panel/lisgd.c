/* SPDX-License-Identifier: MIT
 *
 * A stand-in for lisgd: tells its words, and, as that does, asks to be killed when its parent ends.
 *
 *   lisgd WORD...    writes the words as one line at the end of $BENCH_DIR/lisgd, and stays
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
	FILE *told = fopen(path, "a");
	if (!told)
		return 1;
	fprintf(told, "%d", (int)getpid());
	for (int i = 1; i < argc; i++)
		fprintf(told, "|%s", argv[i]);
	fprintf(told, getenv("ORIENTATION") ? "|with the hook's environment\n" : "\n");
	fclose(told);
	pause();
}
