import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RouteDetail } from '#common/model/route-record.ts';
import { CertificateFile } from '#ui/calls/certificate-file.tsx';
import { codeOf, keyCommandOf, type Language, LANGUAGES } from '#ui/calls/languages.ts';
import { CodeBlock } from '#ui/code-block.tsx';
import { Segments } from '#ui/segments.tsx';

/** The same call in several languages; it never contains the key. */
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
      {detail.ownCertificate && <CertificateFile />}
      <p className="t3 xs">
        <Hint language={language} needsKey={detail.route.authType !== 'none'} />{' '}
        {detail.address.startsWith('https:') && t('routes.call.tls')}
      </p>
    </section>
  );
}

function Hint({ language, needsKey }: { language: Language; needsKey: boolean }) {
  const { t } = useTranslation();
  const byHand = language === 'curl' || (keyCommandOf(language) === null && language !== 'nodeRed');
  return (
    <>
      {language === 'lhttp' && `${t('routes.call.lhttpHelp')} `}
      {language === 'codesys' && `${t('routes.call.codesysHelp')} `}
      {language === 'twincat' && `${t('routes.call.twincatHelp')} `}
      {language === 'nodeRed' && `${t('routes.call.nodeRedHelp')} `}
      {needsKey && `${t(byHand ? 'routes.call.keyByHand' : 'routes.call.keyByVariable')} `}
      {t('routes.call.sample')}
    </>
  );
}
