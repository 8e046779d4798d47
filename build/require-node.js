/**
 * Run before every npm script: the sources run by type stripping and use modules that older Nodes do not have.
 * Plain JavaScript, the only file that is: an older Node has to be able to read it to be refused in words.
 */
const NODE_MAJOR_MIN = 24;

const major = Number(process.versions.node.split('.')[0]);
if (!(major >= NODE_MAJOR_MIN)) {
  console.error(
    `Sluice needs Node ${NODE_MAJOR_MIN} or newer; this is ${process.version}. Run "npm ci" (it brings Node 24 for npm scripts), or install Node ${NODE_MAJOR_MIN}.`,
  );
  process.exit(1);
}
