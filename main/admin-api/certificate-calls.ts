import { certificateContract } from '#common/contract/certificate.ts';
import type { CertificateFacts } from '#common/model/certificate.ts';
import { performAct } from './acts.ts';
import { defineCall, type Services, unknown, WRITTEN } from './call.ts';
import { serveSettings } from './serve-settings.ts';

export const certificateCalls = [
  defineCall(certificateContract.der, {
    handle({ settings, tls }, { response }) {
      const der = tls.der(settings.current());
      if (der === null) throw unknown('certificate');
      response.type('application/pkix-cert').attachment('sluice.cer').end(der);
      return WRITTEN;
    },
  }),
  defineCall(certificateContract.pem, {
    handle({ settings, tls }, { response }) {
      const pem = tls.pem(settings.current());
      if (pem === null) throw unknown('certificate');
      response.type('application/x-pem-file').attachment('sluice.pem').end(pem);
      return WRITTEN;
    },
  }),
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

async function renew(services: Services, by: string): Promise<CertificateFacts> {
  const { settings, tls } = services;
  const own = { ...settings.current(), tls: 'own' as const };
  const putBack = await tls.renew(own, by);
  const made = tls.facts(own);
  if (settings.current().tls === 'own') await serveSettings(services, putBack);
  if (made === null) throw unknown('certificate');
  return made;
}
