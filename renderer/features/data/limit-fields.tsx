import { Button, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { COMPARISONS, CONDITIONS_MAX } from '#common/model/write-limits.ts';
import { useTags } from '#api/data-queries.ts';
import { ChoiceField, fieldProps, TextField } from '#ui/form-fields.tsx';
import { Icon } from '#ui/icon.tsx';
import {
  type ConditionFields,
  conditionsOf,
  conditionsPatch,
  limitsOfType,
  limitField,
  limitPatch,
  limitsPreview,
  NEW_CONDITION,
} from './limit-values.ts';
import { limitsInWords } from './limits-in-words.ts';
import { type FieldsProps, numberOr } from './tag-fields.ts';

interface Props extends FieldsProps {
  project: string;
  faultAt: (path: string) => string | null;
}

/** The limits of the writes of a tag, with a preview as text. */
export function LimitFields({ project, fields, faultAt, onChange }: Props) {
  const { t, i18n } = useTranslation();
  const words = limitsInWords(limitsPreview(fields, numberOr), t, i18n.language);
  return (
    <fieldset className="source-fields stack">
      <legend>{t('writeLimits.title')}</legend>
      <p className="t2">{t('writeLimits.help')}</p>
      <div className="field-grid">
        {limitsOfType(fields['type']).map((field) => (
          <TextField
            key={field}
            label={t(`writeLimits.${field}`)}
            help={field === 'maxStep' ? t('writeLimits.maxStepHelp') : undefined}
            value={limitField(fields, field)}
            onChange={(value) => onChange(limitPatch(field, value))}
            fault={faultAt(`writeLimits.${field}`)}
          />
        ))}
      </div>
      <Conditions project={project} fields={fields} faultAt={faultAt} onChange={onChange} />
      <p aria-live="polite">{words === '' ? t('writeLimits.noPreview') : t('writeLimits.preview', { words })}</p>
    </fieldset>
  );
}

function Conditions({ project, fields, faultAt, onChange }: Props) {
  const { t } = useTranslation();
  const conditions = conditionsOf(fields);
  const tags = useTags(project).data ?? [];
  const put = (next: readonly ConditionFields[]) => onChange(conditionsPatch(next));
  return (
    <>
      <div>
        <b>{t('writeLimits.onlyWhile')}</b>
        <p className="t2">{t('writeLimits.onlyWhileHelp')}</p>
      </div>
      <datalist id="condition-tags">
        {tags.map(({ path, title }) => (
          <option key={path} value={path}>
            {title}
          </option>
        ))}
      </datalist>
      {conditions.map((condition, index) => (
        // A condition has no identity other than its place.
        <Condition
          key={index}
          number={index + 1}
          condition={condition}
          faultAt={(field) => faultAt(`writeLimits.onlyWhile.${index}.${field}`)}
          onChange={(patch) => put(conditions.map((one, at) => (at === index ? { ...one, ...patch } : one)))}
          onRemove={() => put(conditions.filter((_, at) => at !== index))}
        />
      ))}
      {conditions.length < CONDITIONS_MAX && (
        <Button
          className="start"
          leftSection={<Icon name="plus" />}
          onClick={() => put([...conditions, NEW_CONDITION])}
        >
          {t('writeLimits.add')}
        </Button>
      )}
    </>
  );
}

interface ConditionProps {
  number: number;
  condition: ConditionFields;
  faultAt: (field: string) => string | null;
  onChange: (patch: Partial<ConditionFields>) => void;
  onRemove: () => void;
}

function Condition({ number, condition, faultAt, onChange, onRemove }: ConditionProps) {
  const { t } = useTranslation();
  const { tag, is, value, maxAge } = condition;
  const signs = COMPARISONS.map((one) => ({ value: one, label: one === '!=' ? '≠' : one }));
  return (
    <fieldset className="write-condition" aria-label={t('writeLimits.condition', { number })}>
      <TextInput
        {...fieldProps({
          label: t('writeLimits.tag'),
          value: tag,
          onChange: (path) => onChange({ tag: path }),
          fault: faultAt('tag'),
          mono: true,
        })}
        list="condition-tags"
        autoComplete="off"
      />
      <ChoiceField
        label={t('writeLimits.is')}
        value={is}
        options={[...signs, { value: '', label: t('writeLimits.any') }]}
        onChange={(sign) => onChange({ is: sign })}
      />
      {is !== '' && (
        <TextField
          label={t('writeLimits.value')}
          value={value}
          onChange={(text) => onChange({ value: text })}
          fault={faultAt('value')}
        />
      )}
      <TextField
        label={t('writeLimits.maxAge')}
        value={maxAge}
        onChange={(seconds) => onChange({ maxAge: seconds })}
        fault={faultAt('maxAge')}
      />
      <Button
        variant="subtle"
        className="square"
        aria-label={t('writeLimits.remove', { number })}
        title={t('writeLimits.remove', { number })}
        onClick={onRemove}
      >
        <Icon name="close" />
      </Button>
    </fieldset>
  );
}
