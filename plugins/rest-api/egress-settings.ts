import { egressSettings } from '#common/model/egress-settings.ts';
import { parseTemplate, type z } from '#sdk';

type Egress = z.output<typeof egressSettings>;

/**
 * The settings at a start: secrets are unencrypted (in the saved form they are shown as set or null), templates are
 * parsed.
 */
export const egressNodeSettings = egressSettings
  .superRefine((settings, context) => {
    const report = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
    for (const name of lostHeaders(settings))
      report(['staticHeaders', name], again(`the value of the header "${name}"`));
    if (settings.tls !== null && settings.tls.certificate !== null && typeof settings.tls.key !== 'string')
      report(['tls', 'key'], again("the certificate's key"));
    for (const field of ['url', 'orderingKey'] as const) {
      const fault = templateFault(settings[field] ?? '');
      if (fault !== null) report([field], fault);
    }
  })
  .meta({
    title: 'Egress',
    description:
      'Calls an HTTP target. A call is stored on disk and retried until the target accepts it, unless store and forward is off.',
  });

function lostHeaders({ staticHeaders }: Egress): string[] {
  return Object.keys(staticHeaders).filter((name) => typeof staticHeaders[name] !== 'string');
}

function again(what: string): string {
  return `${what} is not there: it was cleared when the target changed, or the vault has lost it; put it in again`;
}

function templateFault(text: string): string | null {
  try {
    parseTemplate(text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : 'the template is not valid';
  }
}
