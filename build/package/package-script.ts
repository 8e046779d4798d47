/** An error in the arguments of a package script or in the checkout. The message is one sentence. */
export class PackagingError extends Error {
  override name = 'PackagingError';
}

/** Runs a package script. A PackagingError is printed as one sentence and ends it with exit code 1. */
export async function runPackageScript(script: () => Promise<void>): Promise<void> {
  try {
    await script();
  } catch (error) {
    if (!(error instanceof PackagingError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
