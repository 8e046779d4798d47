import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { clockTime } from './format.ts';
import { Icon } from './icon.tsx';

/**
 * Copies a text. The clipboard API exists only on secure origins (https, loopback); elsewhere the old command is used,
 * with a temporary field.
 */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  // Inside an open dialog, so that the dialog's focus trap lets it be selected.
  (before?.parentElement ?? document.body).append(field);
  field.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    field.remove();
    // Removing the field would move the focus to the page.
    if (before instanceof HTMLElement) before.focus();
  }
}

type Outcome = { kind: 'none' } | { kind: 'copied'; at: Date } | { kind: 'refused' };

export function CopyButton({ text, label, primary }: { text: string; label?: string; primary?: boolean }) {
  const { t } = useTranslation();
  const [outcome, setOutcome] = useState<Outcome>({ kind: 'none' });
  const copy = async () =>
    setOutcome((await copyText(text)) ? { kind: 'copied', at: new Date() } : { kind: 'refused' });
  const said = outcome.kind === 'copied' ? t('common.copied', { time: clockTime(outcome.at) }) : '';
  return (
    <span className="row wrap">
      <Button
        variant={primary ? 'filled' : 'subtle'}
        leftSection={<Icon name={said === '' ? 'copy' : 'check'} />}
        onClick={() => void copy()}
      >
        {label ?? t('common.copy')}
      </Button>
      <output className="t2">{outcome.kind === 'refused' ? t('common.copyRefused') : said}</output>
    </span>
  );
}
