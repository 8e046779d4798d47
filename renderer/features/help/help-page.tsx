import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useStatus } from '#api/queries.ts';
import { CodeBlock } from '#ui/code-block.tsx';
import { dayAndTime } from '#ui/format.ts';
import { Icon } from '#ui/icon.tsx';
import { OwnPasswordDialog } from '#ui/own-password-dialog.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Panel } from '#ui/panel.tsx';
import { WindowPanel } from './window-panel.tsx';
import './help.css';

const WORDS = ['route', 'key', 'scope', 'pipeline', 'refused', 'storeForward', 'deadLetter'] as const;
const KEYS = ['search', 'tab', 'enter', 'space', 'escape', 'arrows'] as const;

export function HelpPage() {
  const { t } = useTranslation();
  return (
    <>
      <PageHead title={t('nav.help')} answer={<Answer />} />
      <div className="halves help">
        <Words />
        <div className="stack">
          <Documentation />
          <WindowPanel />
          <Keyboard />
          <Passwords />
          <FilePanel part="developers" href="/api/v1/openapi.json" file="sluice-admin-openapi.json" />
          <FilePanel part="libraries" href="/licenses.txt" file="sluice-window-licenses.txt" />
        </div>
      </div>
    </>
  );
}

function Answer() {
  const { t, i18n } = useTranslation();
  const status = useStatus().data;
  if (status === undefined) return null;
  const { version, startedAt } = status;
  return t('shell.help.answer', { version, time: dayAndTime(new Date(startedAt), i18n.language) });
}

function Words() {
  const { t } = useTranslation();
  return (
    <Panel title={t('shell.help.words')}>
      <dl className="body words">
        {WORDS.map((word) => (
          <div key={word}>
            <dt className="strong">{t(`shell.help.word.${word}`)}</dt>
            <dd className="t2">{t(`shell.help.meaning.${word}`)}</dd>
          </div>
        ))}
        <div>
          <dt className="strong">{t('shell.help.data')}</dt>
          <dd className="t2">{t('shell.help.dataHelp')}</dd>
        </div>
      </dl>
    </Panel>
  );
}

/** Separate pages beside the UI, served from the same origin (main/admin-api/docs.ts): a page load, not a route. */
const DOCS = {
  docsOpen: '/docs/',
  docsTrouble: '/docs/guides/troubleshooting.html',
  docsLimits: '/docs/reference/limits.html',
  docsGlossary: '/docs/GLOSSARY.html',
} as const;
const DOCS_LINKS = ['docsOpen', 'docsTrouble', 'docsLimits', 'docsGlossary'] as const;

function Documentation() {
  const { t } = useTranslation();
  return (
    <Panel title={t('shell.help.docs')}>
      <div className="body stack">
        <p>{t('shell.help.docsHelp')}</p>
        <div className="row wrap">
          {DOCS_LINKS.map((name) => (
            <Button key={name} component="a" href={DOCS[name]}>
              {t(`shell.help.${name}`)}
            </Button>
          ))}
        </div>
      </div>
    </Panel>
  );
}

function Keyboard() {
  const { t } = useTranslation();
  return (
    <Panel title={t('shell.help.keyboard')}>
      <div className="body stack tight">
        <dl className="facts">
          {KEYS.map((key) => (
            <div key={key} className="key-line">
              <dt>
                <kbd className="tag">{t(`shell.help.keyName.${key}`)}</kbd>
              </dt>
              <dd>{t(`shell.help.keys.${key}`)}</dd>
            </div>
          ))}
        </dl>
        <p className="t2">{t('shell.help.editorKeys')}</p>
      </div>
    </Panel>
  );
}

function Passwords() {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <Panel title={t('shell.help.passwords')}>
      <div className="body stack">
        <div className="row wrap">
          <span className="grow">{t('shell.help.own')}</span>
          <Button onClick={() => setOpen(true)}>{t('shell.help.ownButton')}</Button>
        </div>
        <p>{t('shell.help.forgotten')}</p>
        <CodeBlock title={t('shell.help.resetTitle')} code={`sluice user reset-password ${t('shell.help.name')}`} />
      </div>
      {open && <OwnPasswordDialog onClose={() => setOpen(false)} />}
    </Panel>
  );
}

/** A file that is built together with the page or the service. */
function FilePanel({ part, ...file }: { part: 'developers' | 'libraries'; href: string; file: string }) {
  const { t } = useTranslation();
  return (
    <Panel title={t(`shell.help.${part}`)}>
      <div className="body stack">
        <p>{t(`shell.help.${part}Help`)}</p>
        <Download {...file} text={t(`shell.help.${part}File`)} />
      </div>
    </Panel>
  );
}

function Download({ href, file, text }: { href: string; file: string; text: string }) {
  return (
    <div>
      <Button component="a" href={href} download={file} leftSection={<Icon name="save" />}>
        {text}
      </Button>
    </div>
  );
}
