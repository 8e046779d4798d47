import { Button, Popover } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOthersHere } from '#api/presence-queries.ts';
import { Icon } from '#ui/icon.tsx';
import { useNow } from '#ui/now.ts';
import { useEditorContext } from '../editor-context.tsx';
import { minuteText } from './versions.tsx';

/** The other users who have this pipeline open. */
export function Others() {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const { record } = useEditorContext();
  const others = useOthersHere(record.project, record.id) ?? [];
  const [open, setOpen] = useState(false);
  const [first] = others;
  if (first === undefined) return null;
  const short = others.length === 1 ? first.name : t('editor.others.count', { count: others.length });
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-end" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <Button
          className="others"
          leftSection={<Icon name="user" />}
          aria-expanded={open}
          aria-label={`${t('editor.others.title')}: ${others.map(({ name }) => name).join(', ')}`}
          onClick={() => setOpen(!open)}
        >
          {short}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className="others-list" aria-label={t('editor.others.title')}>
        <b tabIndex={-1} data-autofocus>
          {t('editor.others.title')}
        </b>
        <ul className="list read flush">
          {others.map(({ name, since, own }) => (
            <li key={`${name} ${since}`}>
              <span className="two grow">
                <b>{own ? t('editor.others.own', { name }) : name}</b>
                <small>{t('editor.others.since', { time: minuteText(new Date(since), now, i18n.language) })}</small>
              </span>
            </li>
          ))}
        </ul>
        <p className="t3">{t('editor.others.help')}</p>
      </Popover.Dropdown>
    </Popover>
  );
}
