import { type CertificateFacts, certificateFacts } from '#common/model/certificate.ts';
import { performAct } from './acts.ts';
import { defineCall, type Services, unknown, WRITTEN } from './call.ts';
import { serveSettings } from './serve-settings.ts';

export const certificateCalls = [
  defineCall({
    method: 'get',
    path: '/settings/certificate.cer',
    access: 'access_settings',
    summary: 'Download the certificate (DER)',
    description:
      "Returns the certificate of the gateway port in DER form for import into controllers: Sluice's own certificate, or the first of a custom chain.",
    response: null,
    contentType: 'application/pkix-cert',
    handle({ settings, tls }, { response }) {
      const der = tls.der(settings.current());
      if (der === null) throw unknown('certificate');
      response.type('application/pkix-cert').attachment('sluice.cer').end(der);
      return WRITTEN;
    },
  }),
  defineCall({
    method: 'get',
    path: '/settings/certificate.pem',
    access: 'access_settings',
    summary: 'Download the certificate (PEM)',
    description:
      'Returns the certificate of the gateway port in PEM form. A custom certificate comes with its issuers.',
    response: null,
    contentType: 'application/x-pem-file',
    handle({ settings, tls }, { response }) {
      const pem = tls.pem(settings.current());
      if (pem === null) throw unknown('certificate');
      response.type('application/x-pem-file').attachment('sluice.pem').end(pem);
      return WRITTEN;
    },
  }),
  defineCall({
    method: 'post',
    path: '/settings/certificate',
    access: 'access_settings',
    audit: ['certificate.make'],
    summary: 'Renew the own certificate',
    description:
      "Makes a new certificate for the machine's names and addresses. If the gateway uses its own certificate, the reply comes once the new one is in use. Callers that trust the old one must be given the new one.",
    response: certificateFacts,
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
