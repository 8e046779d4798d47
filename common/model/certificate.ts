import { z } from 'zod';

/** Data of the certificate on the gateway port in `GET /settings`. Public: every caller receives the certificate. */
export const certificateFacts = z.strictObject({
  kind: z.enum(['own', 'custom']),
  subject: z.string(),
  issuer: z.string(),
  names: z.array(z.string()).meta({ description: 'Host names and addresses that it is for.' }),
  notBefore: z.string(),
  notAfter: z.string(),
  fingerprint: z.string().meta({ description: 'SHA-256, in hexadecimal with colons.' }),
  missing: z.array(z.string()).meta({
    description: "Of an own certificate: the machine's names and addresses that it is not for.",
  }),
});

export type CertificateFacts = z.infer<typeof certificateFacts>;
