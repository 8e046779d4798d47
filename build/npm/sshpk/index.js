/**
 * Takes the place of npm's sshpk, which node-opcua-crypto imports for keys in OpenSSH's format. Sluice makes its OPC UA
 * key itself, in PEM, so that code is never reached. With the real package, npm 11.6.1 and 11.6.2 end in a stack trace:
 * they cannot install a package with `directories.bin` from a lock file that names no download address.
 */
function refuse() {
  throw new Error('Keys in OpenSSH format are not supported; expected a key in PEM format.');
}

export default { parseKey: refuse, parsePrivateKey: refuse };
