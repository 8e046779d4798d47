import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RouteDetail } from '#common/model/route-record.ts';
import { curlCall } from '#ui/calls/curl.ts';
import { KEY_PLACEHOLDER, planOf } from '#ui/calls/plan.ts';
import { CodeBlock } from '#ui/code-block.tsx';
import { Segments } from '#ui/segments.tsx';
import { csharpCall } from './calls/csharp.ts';
import { lhttpCall } from './calls/lhttp.ts';
import { nodeRedCall } from './calls/node-red.ts';
import { pythonCall } from './calls/python.ts';

const LANGUAGES = ['curl', 'python', 'csharp', 'lhttp', 'nodeRed'] as const;
type Language = (typeof LANGUAGES)[number];

/** Beyond the route's own timeout, so that its 504 is seen rather than a broken connection. */
const PATIENCE_SECONDS = 5;

function codeOf(language: Language, detail: RouteDetail): string {
  const plan = planOf(detail);
  const seconds = Math.ceil(detail.route.timeout) + PATIENCE_SECONDS;
  switch (language) {
    case 'curl':
      return curlCall(plan, KEY_PLACEHOLDER);
    case 'python':
      return pythonCall(plan, seconds);
    case 'csharp':
      return csharpCall(plan, seconds);
    case 'lhttp':
      return lhttpCall(plan);
    case 'nodeRed':
      return nodeRedCall(plan, detail.route.pipelineName);
  }
}

/** The same call in the languages that integrators use; the key is never in it. */
export function CallTabs({ detail }: { detail: RouteDetail }) {
  const { t } = useTranslation();
  const [language, setLanguage] = useState<Language>('curl');
  const options = LANGUAGES.map((value) => ({ value, label: t(`routes.call.${value}`) }));
  return (
    <section className="stack tight">
      <h3>{t('routes.call.title')}</h3>
      <div className="languages">
        <Segments label={t('routes.call.language')} value={language} options={options} onChange={setLanguage} />
      </div>
      <CodeBlock key={language} title={t(`routes.call.${language}`)} code={codeOf(language, detail)} />
      <p className="t3 xs">
        <Hint language={language} needsKey={detail.route.authType !== 'none'} />{' '}
        {detail.address.startsWith('https:') && t('routes.call.tls')}
      </p>
    </section>
  );
}

function Hint({ language, needsKey }: { language: Language; needsKey: boolean }) {
  const { t } = useTranslation();
  const byHand = language === 'curl' || language === 'lhttp';
  return (
    <>
      {language === 'lhttp' && `${t('routes.call.lhttpHelp')} `}
      {language === 'nodeRed' && `${t('routes.call.nodeRedHelp')} `}
      {needsKey && `${t(byHand ? 'routes.call.keyByHand' : 'routes.call.keyByVariable')} `}
      {t('routes.call.sample')}
    </>
  );
}
