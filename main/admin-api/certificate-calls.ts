import { certificateContract } from '#common/contract/certificate.ts';
import type { CertificateFacts } from '#common/model/certificate.ts';
import { performAct } from './acts.ts';
import { type Context, defineCall, type Services, unknown, WRITTEN } from './call.ts';
import { serveSettings } from './serve-settings.ts';

export const certificateCalls = [
  defineCall(certificateContract.der, { handle: serve('der', 'application/pkix-cert', 'sluice.cer') }),
  defineCall(certificateContract.pem, { handle: serve('pem', 'application/x-pem-file', 'sluice.pem') }),
  defineCall(certificateContract.renew, {
    async handle(services, context) {
      const facts = await services.locks.settings(() =>
        performAct(
          services,
          context,
          { target: 'certificate' },
          () => renew(services, context.session.user.name),
          ({ fingerprint }) => ({ detail: `SHA-256 ${fingerprint}` }),
        ),
      );
      services.hub.publish({ kind: 'changed', what: 'settings' });
      return facts;
    },
  }),
];

function serve(form: 'der' | 'pem', type: string, file: string) {
  return ({ settings, tls }: Services, { response }: Pick<Context<unknown, unknown>, 'response'>) => {
    const certificate = tls[form](settings.current());
    if (certificate === null) throw unknown('certificate');
    response.type(type).attachment(file).end(certificate);
    return WRITTEN;
  };
}

async function renew(services: Services, by: string): Promise<CertificateFacts> {
  const { settings, tls } = services;
  const own = { ...settings.current(), tls: 'own' as const };
  const putBack = await tls.renew(own, by);
  const made = tls.facts(own);
  if (settings.current().tls === 'own') await serveSettings(services, putBack);
  if (made === null) throw unknown('certificate');
  return made;
}
