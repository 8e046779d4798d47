import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '../temp-dir.ts';
import { runAs } from './child-program.ts';

/** Certificates created by openssl for a test server that must be able to read them as `user`. */
export interface ServerCertificate {
  readonly certFile: string;
  readonly keyFile: string;
}

export interface Authority extends ServerCertificate, AsyncDisposable {
  /** PEM of the authority that signed it. */
  readonly ca: string;
  /** PEM of an authority that signed nothing. */
  readonly strangerCa: string;
  /** Replaces the certificate in the files, for example by one for `DNS:localhost` or `IP:127.0.0.1`. */
  issue(names: string): void;
}

/** `names`: the names in the certificate, such as `DNS:localhost`. */
export async function makeAuthority(user: string, names: string): Promise<Authority> {
  const dir = await tempDir('sluice-certificates-');
  const as = runAs(user);
  const path = (name: string): string => join(dir.path, name);
  const openssl = (...args: string[]): void => void execFileSync('openssl', args, { stdio: 'ignore', cwd: dir.path });
  const own = (file: string, mode: number): void => {
    if (as.uid !== undefined && as.gid !== undefined) chownSync(file, as.uid, as.gid);
    chmodSync(file, mode);
  };
  const selfSigned = (name: string): string => {
    const [key, pem] = [path(`${name}.key`), path(`${name}.pem`)];
    openssl(...NEW_KEY, '-x509', '-days', '30', '-subj', `/CN=${name}`, '-keyout', key, '-out', pem);
    return readFileSync(pem, 'utf8');
  };
  const [certFile, keyFile] = [path('server.pem'), path('server.key')];
  const issue = (forNames: string): void => {
    writeFileSync(path('names'), `subjectAltName=${forNames}\n`);
    openssl(...NEW_KEY, '-subj', '/CN=server', '-keyout', keyFile, '-out', path('request'));
    openssl(
      'x509',
      '-req',
      '-days',
      '30',
      '-in',
      path('request'),
      ...SIGNED_BY,
      '-extfile',
      path('names'),
      '-out',
      certFile,
    );
    own(certFile, 0o644);
    own(keyFile, 0o600);
  };
  own(dir.path, 0o700);
  const [ca, strangerCa] = [selfSigned('authority'), selfSigned('stranger')];
  issue(names);
  return { certFile, keyFile, ca, strangerCa, issue, [Symbol.asyncDispose]: () => dir.remove() };
}

const NEW_KEY = ['req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
const SIGNED_BY = ['-CA', 'authority.pem', '-CAkey', 'authority.key', '-CAcreateserial'];
