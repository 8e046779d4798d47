import type { KeyboardEventHandler, Ref } from 'react';
import { Icon } from './icon.tsx';

interface Props {
  label: string;
  placeholder?: string;
  /** The ID of the list of options. */
  list: string;
  /** The ID of the current option. */
  active: string | undefined;
  value: string;
  inputRef?: Ref<HTMLInputElement>;
  onKeyDown: KeyboardEventHandler;
  onChange: (text: string) => void;
}

/** The search field above a list of options: the focus stays in it while arrow keys move through the list. */
export function ListSearch({ label, placeholder = label, list, active, inputRef, onChange, ...field }: Props) {
  return (
    <>
      <Icon name="search" />
      <input
        {...field}
        ref={inputRef}
        className="field-box"
        type="text"
        role="combobox"
        data-autofocus
        aria-label={label}
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={active}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => onChange(target.value)}
      />
    </>
  );
}
