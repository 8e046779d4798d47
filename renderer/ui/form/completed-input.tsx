import { Combobox, Popover } from '@mantine/core';
import '@mantine/core/styles/Combobox.css';
import { useId, useRef, useState, type InputHTMLAttributes, type KeyboardEvent, type RefCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormContext } from './form-context.tsx';
import { shownValue, type Mapping, type Places } from './mapping.ts';
import { offersAt, withPath, type Offers } from './offers.ts';
import { Result } from './result.tsx';

type Field = HTMLInputElement | HTMLTextAreaElement;
type Attributes = Pick<
  InputHTMLAttributes<Field>,
  'id' | 'aria-label' | 'aria-describedby' | 'aria-invalid' | 'aria-required' | 'placeholder' | 'readOnly' | 'onBlur'
>;

interface Props extends Attributes {
  value: string;
  /** From 2 on, Enter inserts a line break. */
  lines?: number;
  /** Null: its text contains no paths of the message. */
  places: Places | null;
  onChange: (value: string) => void;
  onEnter?: () => void;
}

/** A text that can contain paths of the message: they are suggested during typing, each with its last value. */
export function CompletedInput({ places, ...props }: Props) {
  return places === null || props.readOnly === true ? <Plain {...props} /> : <Mapped {...props} places={places} />;
}

function Mapped({ places, ...props }: Props & { places: Places }) {
  const { mapping } = useFormContext();
  return mapping === null ? <Plain {...props} /> : <Completed {...props} places={places} mapping={mapping} />;
}

type PlainProps = Omit<Props, 'places'> &
  Pick<
    InputHTMLAttributes<Field>,
    'onKeyDown' | 'onClick' | 'aria-autocomplete' | 'aria-expanded' | 'aria-controls' | 'aria-activedescendant'
  > & { ref?: RefCallback<Field>; offers?: boolean };

function Plain({ value, lines = 1, onChange, onEnter, onKeyDown, ref, offers = false, ...attributes }: PlainProps) {
  const shared = {
    ...attributes,
    ...(offers && { role: 'combobox' }),
    className: 'setting-input',
    value,
    spellCheck: false,
    autoComplete: 'off',
    onChange: (event: { target: Field }) => onChange(event.target.value),
    onKeyDown: (event: KeyboardEvent<Field>) => {
      onKeyDown?.(event);
      if (event.key === 'Enter' && !event.defaultPrevented) onEnter?.();
    },
  };
  if (lines < 2 && !value.includes('\n')) return <input {...shared} ref={ref} type="text" />;
  const rows = Math.min(Math.max(lines, value.split('\n').length), ROWS_MAX);
  return <textarea {...shared} ref={ref} rows={rows} />;
}
const ROWS_MAX = 12;

function Completed({ mapping, places, ...props }: Props & { mapping: Mapping; places: Places }) {
  const list = useId();
  const field = useRef<Field>(null);
  const { offers, place, look, close, move } = useOffers(places, mapping);
  const chosen = place === null ? null : (offers?.options[place]?.path ?? null);
  const take = (path: string) => {
    if (offers === null) return;
    const { text, caret } = withPath(props.value, offers, path, places);
    close();
    props.onChange(text);
    requestAnimationFrame(() => field.current?.setSelectionRange(caret, caret));
  };
  const keys = (event: KeyboardEvent<Field>) => {
    const { value, selectionStart } = event.currentTarget;
    const isAsking = event.key === 'ArrowDown' && (props.lines ?? 1) < 2 && !event.altKey;
    if (offers === null) {
      if (!isAsking) return;
      look(value, selectionStart ?? value.length, true);
    } else if (event.key === 'Escape') {
      // Around it, Escape leaves the selection.
      event.stopPropagation();
      close();
    } else if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Enter' && chosen !== null) take(chosen);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <Popover
        opened={offers !== null}
        onClose={close}
        position="bottom-start"
        width={LIST_PX}
        offset={4}
        transitionProps={{ duration: 0 }}
        closeOnEscape={false}
        withRoles={false}
        withinPortal
      >
        <Popover.Target>
          <Plain
            {...props}
            ref={(element) => {
              field.current = element;
            }}
            offers
            aria-autocomplete="list"
            aria-expanded={offers !== null}
            aria-controls={offers === null ? undefined : list}
            aria-activedescendant={place === null ? undefined : `${list}${place}`}
            onChange={(text) => {
              props.onChange(text);
              look(text, field.current?.selectionStart ?? text.length, false);
            }}
            onKeyDown={keys}
            onClick={() => props.value === '' && places !== 'template' && look('', 0, true)}
            onBlur={(event) => {
              close();
              props.onBlur?.(event);
            }}
          />
        </Popover.Target>
        {offers !== null && (
          // The focus stays in the field.
          <Popover.Dropdown className="path-offers" onMouseDown={(event) => event.preventDefault()}>
            <OfferList id={list} offers={offers} chosen={chosen} onTake={take} />
          </Popover.Dropdown>
        )}
      </Popover>
      <Result text={props.value} places={places} mapping={mapping} />
    </>
  );
}
const LIST_PX = 320;

/** The suggestions at the caret, and the position of the one that Enter selects. */
function useOffers(places: Places, { paths }: Mapping) {
  const [offers, setOffers] = useState<Offers | null>(null);
  const [place, setPlace] = useState<number | null>(null);
  const count = offers?.options.length ?? 0;
  return {
    offers,
    place,
    look(text: string, caret: number, asked: boolean) {
      const next = offersAt(text, caret, { places, asked, paths });
      setOffers(next);
      setPlace(next !== null && (next.isTyped || asked) ? 0 : null);
    },
    close() {
      setOffers(null);
      setPlace(null);
    },
    move(step: 1 | -1) {
      setPlace((now) => (now === null ? (step === 1 ? 0 : count - 1) : (now + step + count) % count));
    },
  };
}

interface ListProps {
  id: string;
  offers: Offers;
  chosen: string | null;
  onTake: (path: string) => void;
}

function OfferList({ id, offers, chosen, onTake }: ListProps) {
  const { t } = useTranslation();
  return (
    <Combobox onOptionSubmit={onTake}>
      <Combobox.Options id={id} aria-label={t('editorForm.mapping.offered')}>
        {offers.options.map(({ path, value }, index) => (
          <Combobox.Option
            key={path}
            value={path}
            id={`${id}${index}`}
            active={path === chosen}
            selected={path === chosen}
            aria-selected={path === chosen}
            ref={path === chosen ? intoView : undefined}
          >
            <span className="mono">{path}</span>
            {value !== undefined && <small className="t3 cut">{shownValue(value)}</small>}
          </Combobox.Option>
        ))}
      </Combobox.Options>
    </Combobox>
  );
}

function intoView(item: HTMLElement | null): void {
  item?.scrollIntoView({ block: 'nearest' });
}
