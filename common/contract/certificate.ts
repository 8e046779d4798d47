import { certificateFacts } from '../model/certificate.ts';
import { declareCall } from './declaration.ts';

export const certificateContract = {
  der: declareCall({
    method: 'get',
    path: '/settings/certificate.cer',
    access: 'access_settings',
    summary: 'Download the certificate (DER)',
    description:
      "Returns the certificate of the gateway port in DER form for import into controllers: Sluice's own certificate, or the first of a custom chain.",
    response: null,
    contentType: 'application/pkix-cert',
  }),
  pem: declareCall({
    method: 'get',
    path: '/settings/certificate.pem',
    access: 'access_settings',
    summary: 'Download the certificate (PEM)',
    description:
      'Returns the certificate of the gateway port in PEM form. A custom certificate comes with its issuers.',
    response: null,
    contentType: 'application/x-pem-file',
  }),
  renew: declareCall({
    method: 'post',
    path: '/settings/certificate',
    access: 'access_settings',
    audit: ['certificate.make'],
    summary: 'Renew the own certificate',
    description:
      "Makes a new certificate for the machine's names and addresses. If the gateway uses its own certificate, the reply comes once the new one is in use. Callers that trust the old one must be given the new one.",
    response: certificateFacts,
  }),
};
