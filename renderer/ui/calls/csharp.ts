import { KEY_VARIABLE } from './key-variable.ts';
import { CERTIFICATE_FILE, type CallPlan } from './plan.ts';

/** A whole Program.cs for .NET 6 or later. */
export function csharpCall({ method, url, body, needsKey, ownCertificate }: CallPlan, timeoutSeconds: number): string {
  return [
    ...(ownCertificate ? TRUST : []),
    'using System;',
    'using System.Net.Http;',
    ...(body === undefined ? [] : ['using System.Text;']),
    '',
    `using var client = new HttpClient { Timeout = TimeSpan.FromSeconds(${timeoutSeconds}) };`,
    `using var request = new HttpRequestMessage(new HttpMethod(${verbatim(method)}), ${verbatim(url)});`,
    ...(needsKey ? [`request.Headers.Add("X-API-Key", Environment.GetEnvironmentVariable("${KEY_VARIABLE}"));`] : []),
    ...(body === undefined
      ? []
      : [
          `request.Content = new StringContent(${verbatim(JSON.stringify(body, null, 2))}, Encoding.UTF8, "application/json");`,
        ]),
    'using var response = await client.SendAsync(request);',
    'Console.WriteLine((int)response.StatusCode);',
    'Console.WriteLine(await response.Content.ReadAsStringAsync());',
    '',
  ].join('\n');
}

/** .NET reads the trusted certificates of the machine. */
const TRUST = [
  '// Trust the certificate of Sluice on this machine.',
  `//   Windows, as administrator: certutil -addstore Root ${CERTIFICATE_FILE}`,
  `//   Debian: sudo cp ${CERTIFICATE_FILE} /usr/local/share/ca-certificates/sluice.crt && sudo update-ca-certificates`,
];

/** Between @" and " only the quote is special and is doubled; line breaks are kept. */
function verbatim(text: string): string {
  return `@"${text.replaceAll('"', '""')}"`;
}
