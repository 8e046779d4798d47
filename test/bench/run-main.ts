/** Runs a benchmark. An error becomes one line on standard error (with `usage` after a wrong flag) and exit code 1. */
export async function runMain(main: () => Promise<void>, usage: string): Promise<void> {
  try {
    await main();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const flagError = error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
    process.stderr.write(`${flagError ? `${message}\n${usage}` : message}\n`);
    process.exitCode = 1;
  }
}
