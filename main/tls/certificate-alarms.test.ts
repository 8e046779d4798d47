import { expect, test } from 'vitest';
import { createAlarms } from '../host/alarms.ts';
import { setCertificateAlarms } from './certificate-alarms.ts';

const DAY_MS = 86_400_000;
const END = '2030-06-15T12:00:00.000Z';
const facts = {
  kind: 'custom' as const,
  subject: '',
  issuer: '',
  names: [],
  notBefore: END,
  notAfter: END,
  fingerprint: 'AA',
  missing: [],
};

test('the expiry of the certificate in use is reported 30 days before it and after it', () => {
  const alarms = createAlarms();
  const codes = (days: number, tls: 'off' | 'custom' = 'custom') => {
    setCertificateAlarms(alarms, tls, facts, Date.parse(END) + days * DAY_MS);
    return alarms.list().map(({ code }) => code);
  };
  expect(codes(-31)).toEqual([]);
  expect(codes(-30)).toEqual(['certificate_ending']);
  expect(alarms.list()[0]).toMatchObject({ values: { date: '2030-06-15', days: 30 } });
  expect(codes(1)).toEqual(['certificate_ended']);
  expect(codes(1, 'off')).toEqual([]);
  setCertificateAlarms(alarms, 'own', null, Date.parse(END));
  expect(alarms.list()).toEqual([]);
});

test('a new certificate that expires soon as well has to be acknowledged again', () => {
  const alarms = createAlarms();
  setCertificateAlarms(alarms, 'custom', facts, Date.parse(END) - DAY_MS);
  alarms.acknowledge('certificate_ending', 'anna');
  setCertificateAlarms(alarms, 'custom', { ...facts, fingerprint: 'BB' }, Date.parse(END) - DAY_MS);
  expect(alarms.list()[0]?.acknowledgedBy).toBeNull();
});
