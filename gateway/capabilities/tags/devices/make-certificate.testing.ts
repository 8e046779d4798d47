import { makeCertificate } from '#test/peers/opcua-certificates.ts';

/** Run by device-peers.test.ts with a folder: creates the certificate of a server there and prints its path. */
const [, , folder] = process.argv;
if (folder !== undefined) {
  const { certificateFile, privateKeyFile, applicationUri } = await makeCertificate(folder, 'server');
  process.stdout.write(JSON.stringify({ certificateFile, privateKeyFile, applicationUri }));
}
