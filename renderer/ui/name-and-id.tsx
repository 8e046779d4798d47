import { useState, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { TextField } from './form-fields.tsx';
import { proposedId } from './id-from.ts';
import { PROJECT_ID } from './project-id.ts';

const NAME_CHARS_MAX = 64;

export interface NameAndId {
  name: string;
  id: string;
}

interface Of {
  kind: 'pipeline' | 'project';
  /** The IDs of the others. */
  taken: ReadonlySet<string>;
  firstName?: string;
}

/** The name of a new object, which is free text, and its ID, which is suggested until the user edits it. */
export function useNameAndId({ kind, taken, firstName = '' }: Of) {
  const [name, setName] = useState(firstName);
  const [ownId, setId] = useState<string | null>(null);
  const [asked, setAsked] = useState(false);
  const id = ownId ?? proposedId(name, kind, taken);
  const nameOk = name.trim() !== '' && name.trim().length <= NAME_CHARS_MAX;
  const idOk = PROJECT_ID.test(id) && !taken.has(id);
  return {
    name,
    id,
    nameOk,
    isTaken: taken.has(id),
    idOk,
    asked,
    setName,
    setId,
    /** From now on, errors are shown. Null: there are errors. */
    ask(): NameAndId | null {
      setAsked(true);
      return nameOk && idOk ? { name: name.trim(), id } : null;
    },
  };
}

interface Props {
  of: ReturnType<typeof useNameAndId>;
  nameLabel: string;
  nameHelp: string;
  /** The server's error for the id. */
  idFault: string | null;
  /** On a page: the name gets the initial focus. */
  nameRef?: Ref<HTMLInputElement>;
}

export function NameAndIdFields({ of, nameLabel, nameHelp, idFault, nameRef }: Props) {
  const { t } = useTranslation();
  const { name, id, nameOk, isTaken, idOk, asked, setName, setId } = of;
  const ownFault = isTaken ? t('projects.idTaken') : t('projects.idBad');
  return (
    <>
      <TextField
        label={nameLabel}
        help={nameHelp}
        fault={asked && !nameOk ? t('projects.nameBad') : null}
        value={name}
        onChange={setName}
        inputRef={nameRef}
        first
      />
      <TextField
        label={t('projects.id')}
        help={t('projects.idHelp')}
        fault={asked && name.trim() !== '' && !idOk ? ownFault : idFault}
        value={id}
        onChange={setId}
        mono
      />
    </>
  );
}
