// The tests are TypeScript, which older versions of Node cannot run.
if (!process.features.typescript) {
  console.error(
    'Running the tests needs Node 24 or later; this is Node ' +
      process.versions.node +
      '. Get it from https://nodejs.org.',
  );
  process.exit(1);
}
