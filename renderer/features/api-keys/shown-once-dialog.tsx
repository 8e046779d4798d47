import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { NewKey } from '#api/queries.ts';
import { useRoute, useRoutes, type RouteName } from '#api/routes-queries.ts';
import { CertificateFile } from '#ui/calls/certificate-file.tsx';
import { curlCall } from '#ui/calls/curl.ts';
import { codeOf, keyCommandOf, LANGUAGES } from '#ui/calls/languages.ts';
import { planOf } from '#ui/calls/plan.ts';
import { CodeBlock } from '#ui/code-block.tsx';
import { FirstCall } from '#ui/first-call.tsx';
import { KeyValue } from '#ui/key-value.tsx';
import { Note } from '#ui/note.tsx';
import { Segments } from '#ui/segments.tsx';
import { ShownOnce } from '#ui/shown-once.tsx';
import { firstOpened } from './call-line.ts';
import { Steps } from './create-key-dialog.tsx';

interface Props {
  made: NewKey;
  /** The route that the key was created for, as `POST /orders`. */
  route: string | undefined;
  lastUsedAt: string | null;
  onClose: () => void;
}

/** The value of the key, a complete call, and whether it has arrived. */
export function ShownOnceDialog({ made, route, lastUsedAt, onClose }: Props) {
  const { t } = useTranslation();
  const { name } = made.record;
  return (
    <ShownOnce
      title={t('keys.shownTitle', { name })}
      above={<Steps current={2} />}
      leave="keys.leave"
      stored={t('keys.stored', { name })}
      onClose={onClose}
    >
      <p>
        {t('keys.shownText')} <b>{t('keys.shownOnce')}</b>
      </p>
      <KeyValue value={made.key} name={name} />
      <CallNow made={made} wanted={route} />
      <FirstCall lastUsedAt={lastUsedAt} />
    </ShownOnce>
  );
}

function CallNow({ made: { record }, wanted }: { made: NewKey; wanted: string | undefined }) {
  const { t } = useTranslation();
  const routes = useRoutes().data?.items;
  if (routes === undefined) return null;
  const route = firstOpened(routes, record.project, record.scopes, wanted);
  return route === undefined ? <Note>{t('keys.callNoRoute')}</Note> : <CallLine route={route} />;
}

/** With a sample of the route's own schema. The key is not part of it, and so not of files and the shell history. */
function CallLine({ route }: { route: RouteName }) {
  const { t } = useTranslation();
  const [language, setLanguage] = useState<Shown>('curl');
  const detail = useRoute(route).data;
  if (detail === undefined) return null;
  const command = keyCommandOf(language);
  const code = language === 'curl' ? curlCall(planOf(detail)) : codeOf(language, detail);
  return (
    <section className="stack tight">
      <div className="row wrap">
        <h3 className="grow">{t('keys.callNow', { route: `${detail.route.method} ${detail.route.pattern}` })}</h3>
        <Segments
          label={t('routes.call.language')}
          value={language}
          options={SHOWN.map((value) => ({ value, label: t(`routes.call.${value}`) }))}
          onChange={setLanguage}
        />
      </div>
      {detail.ownCertificate && <CertificateFile />}
      {command !== null && <CodeBlock title={t(`keysPage.keyCommand.${shellOf(language)}`)} code={command} />}
      <CodeBlock title={t(command === null ? 'keysPage.callWithPlace' : 'keysPage.callWithVariable')} code={code} />
    </section>
  );
}

const SHOWN = LANGUAGES.filter((language) => language !== 'nodeRed');
type Shown = (typeof SHOWN)[number];
const shellOf = (language: Shown) => (language === 'csharp' ? 'powershell' : 'posix');
