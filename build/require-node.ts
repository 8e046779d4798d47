/** Run before every npm script: the sources run by type stripping and use modules that older Nodes do not have. */
const NODE_MAJOR_MIN = 24;

const major = Number(process.versions.node.split('.')[0]);
if (!(major >= NODE_MAJOR_MIN)) {
  console.error(
    `Sluice needs Node ${NODE_MAJOR_MIN} or newer; this is ${process.version}. Run "npm ci" (it brings Node 24 for npm scripts), or install Node ${NODE_MAJOR_MIN}.`,
  );
  process.exit(1);
}
