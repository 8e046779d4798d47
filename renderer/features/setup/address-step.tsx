import { Button } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useEffect, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { SetupFinding } from '#common/model/setup-test.ts';
import { errorBesides, fieldFault } from '#api/field-fault.ts';
import { useStatus } from '#api/queries.ts';
import { rememberSetup, type SetupProgress } from '#api/setup-progress.ts';
import { useSaveAddress, useSettingsOnce, useSettingsTest, type ShownSettings } from '#api/setup-queries.ts';
import { ErrorNote } from '#ui/error-note.tsx';
import { useFirstFocus } from '#ui/first-focus.ts';
import { TextField } from '#ui/form-fields.tsx';
import {
  faultsOf,
  fieldsOf,
  firstProtocol,
  inputOf,
  settingsOf,
  withProtocol,
  type AddressField,
  type AddressInput,
  type Protocol,
  type Running,
} from './address-input.ts';
import { ConnectChoice } from './connect-choice.tsx';
import { blocks } from './finding-text.ts';
import { LiveTest } from './live-test.tsx';
import { PortFix } from './port-fix.tsx';

const TYPING_MS = 400;

/** Step 2: the address and ports for callers, tested during typing. */
export function AddressStep({ progress }: { progress: SetupProgress }) {
  const settings = useSettingsOnce();
  const status = useStatus();
  const error = settings.error ?? (status.data === undefined ? status.error : null);
  const running = { gatewayPort: status.data?.gateway.port ?? null, uiPort: Number(window.location.port || 80) };
  return (
    <main className="two-columns">
      {error !== null && <ErrorNote error={error} />}
      {settings.data && status.data && <AddressForm settings={settings.data} running={running} progress={progress} />}
    </main>
  );
}

interface FormProps {
  settings: ShownSettings;
  running: Running;
  progress: SetupProgress;
}

function AddressForm({ settings, running, progress }: FormProps) {
  const { t } = useTranslation();
  const heading = useFirstFocus<HTMLHeadingElement>();
  const fixed = settings.overridden;
  const [before] = useState(() => inputOf(settings, running));
  const [protocol, setProtocol] = useState(() => firstProtocol(settings, progress.plain));
  const [input, setInput] = useState(() => (protocol === null ? before : withProtocol(before, protocol)));
  const save = useSaveAddress();
  const faults = faultsOf(input);
  const settled = useSettled(input, TYPING_MS);
  const test = useSettingsTest(faultsOf(settled).length === 0 ? fieldsOf(settled, fixed) : null);
  const findings = test.data?.findings ?? [];
  const failed = findings.filter(({ ok }) => ok === false);
  const blocked = faults.length > 0 || findings.some(blocks);
  const next = () => rememberSetup({ ...progress, step: 'project', plain: protocol === 'off' });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (blocked) return;
    const changes = settingsOf(input, protocol, { settings, before });
    if (Object.keys(changes).length === 0) next();
    else save.mutate(changes, { onSuccess: next });
  };
  const change = (field: AddressField, value: string) => setInput({ ...input, [field]: value });
  const connect = (tls: Protocol) => {
    setProtocol(tls);
    if (!fixed.includes('baseUrl')) setInput(withProtocol(input, tls));
  };
  const faultOf = (field: AddressField) => fieldText(t, field, faults, findings) ?? fieldFault(save.error, field);
  const field = (name: AddressField, help: string) => ({
    label: t(`setupPage.address.${name}`),
    help: fixed.includes(name) ? t('setupPage.address.fixed') : help,
    readOnly: fixed.includes(name),
    value: input[name],
    onChange: (value: string) => change(name, value),
    fault: faultOf(name),
    mono: true,
  });
  const uiChanged = faults.length === 0 && Number(input.uiPort) !== running.uiPort;
  const rest = errorBesides(save.error, ['baseUrl', 'gatewayPort', 'uiPort']);
  return (
    <>
      <form onSubmit={submit} noValidate>
        <div>
          <h2 tabIndex={-1} ref={heading}>
            {t('setupPage.address.heading')}
          </h2>
          <p className="t2">{t('setupPage.address.lead')}</p>
        </div>
        <div className="address-fields">
          <TextField {...field('baseUrl', t('setupPage.address.baseUrlHelp'))} />
          <TextField {...field('gatewayPort', t('setupPage.address.portHelp'))} digits />
          <TextField {...field('uiPort', t('setupPage.address.portHelp'))} digits />
        </div>
        {protocol !== null && <ConnectChoice value={protocol} onChoose={connect} />}
        <div className="messages">
          {uiChanged && (
            <p className="t2">{t('setupPage.address.uiLater', { now: running.uiPort, port: input.uiPort })}</p>
          )}
          {failed.filter(blocks).map((finding) => (
            <PortFix key={finding.check} finding={finding} onUse={change} />
          ))}
          {save.isError && rest !== null && <ErrorNote error={rest} />}
        </div>
        <div className="act">
          <Button onClick={() => rememberSetup({ ...progress, later: true })}>{t('setupPage.later')}</Button>
          <span className="grow" />
          {failed.length > 0 && (
            <span className="t2">{t('setupPage.address.fails', { count: failed.length, total: findings.length })}</span>
          )}
          <Button type="submit" variant="filled" disabled={blocked} loading={save.isPending}>
            {t('setupPage.address.next')}
          </Button>
        </div>
      </form>
      <LiveTest test={test} />
    </>
  );
}

/** The error of the field itself, otherwise the result of the test. */
function fieldText(
  t: TFunction,
  field: AddressField,
  faults: readonly AddressField[],
  findings: readonly SetupFinding[],
): string | null {
  if (faults.includes(field))
    return field === 'baseUrl' ? t('setupPage.address.baseUrlBad') : t('setupPage.address.portBad');
  const found = findings.find(({ check }) => check === field);
  if (found === undefined || !blocks(found)) return null;
  return found.code === 'taken' ? t('setupPage.address.portTaken') : t('setupPage.address.portNot');
}

/** The value once it has been unchanged for this long. */
function useSettled(value: AddressInput, ms: number): AddressInput {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
