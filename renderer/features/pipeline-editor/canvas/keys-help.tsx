import { Button, Checkbox } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '#ui/dialog.tsx';
import { useCanvasStore } from './canvas-context.ts';
import { setSingleKeys, singleKeysOn } from './single-keys.ts';

const KEYS = [
  ['find', 'Ctrl+K, /'],
  ['add', 'A'],
  ['wire', 'W, Shift+W'],
  ['wires', 'X'],
  ['settings', 'Enter'],
  ['rename', 'F2'],
  ['follow', '← → ↑ ↓'],
  ['move', 'Alt+← → ↑ ↓'],
  ['order', 'Tab, Shift+Tab'],
  ['choose', 'Space, Ctrl+Space'],
  ['switch', 'E'],
  ['note', 'N'],
  ['group', 'G'],
  ['delete', null],
  ['copy', 'Ctrl+C, X, V, D'],
  ['all', 'Ctrl+A'],
  ['undo', 'Ctrl+Z, Ctrl+Shift+Z'],
  ['save', 'Ctrl+S'],
  ['test', 'Ctrl+Enter'],
  ['start', 'Ctrl+Shift+Enter'],
  ['problems', 'F8, Shift+F8'],
  ['zoom', '+, −, 0, 1'],
  ['canvasOnly', 'F9'],
  ['running', 'R'],
  ['regions', 'F6'],
  ['help', '?'],
] as const;

/** As labelled on the keyboard of the UI's language. */
function keyWords(t: TFunction, keys: string | null): string {
  if (keys === null) return t('editor.key.delete');
  return keys
    .replaceAll('Ctrl', t('editor.key.ctrl'))
    .replaceAll('Shift', t('editor.key.shift'))
    .replaceAll('Space', t('editor.key.space'));
}

/** The list of keys. */
export function KeysHelp() {
  const { t } = useTranslation();
  const canvas = useCanvasStore();
  const [on, setOn] = useState(singleKeysOn);
  const close = () => canvas.set({ popup: null });
  return (
    <Dialog
      title={t('editor.act.keys')}
      wide
      onDismiss={close}
      foot={<Button onClick={close}>{t('common.close')}</Button>}
    >
      <dl className="flow-keys">
        {KEYS.map(([name, keys]) => (
          <div key={name}>
            <dt>{t(`editor.keys.${name}`)}</dt>
            <dd>
              <kbd>{keyWords(t, keys)}</kbd>
            </dd>
          </div>
        ))}
      </dl>
      <Checkbox
        label={t('editor.lettersAct')}
        checked={on}
        onChange={({ currentTarget }) => {
          setSingleKeys(currentTarget.checked);
          setOn(currentTarget.checked);
        }}
      />
    </Dialog>
  );
}
