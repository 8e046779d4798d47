/** What is wrong with the input of a package script, or with the checkout, in one sentence. */
export class PackingRefused extends Error {
  override name = 'PackingRefused';
}

/** Runs one of the package scripts; a refusal is its sentence on standard error and exit code 1. */
export async function inPlainWords(script: () => Promise<void>): Promise<void> {
  try {
    await script();
  } catch (error) {
    if (!(error instanceof PackingRefused)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
