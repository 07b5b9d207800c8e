// The sheet in which an automation is written.

import { cleanup, fireEvent } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ALL } from '../src/fake/automations';
import type { AutomationPlan } from '../src/protocol';
import { choose, faults, names, press, renderAutomationsPage, row, type } from './render-automations';
import { has, part, settle, type Stub } from './harness';

beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }));

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  location.hash = '';
});

describe('the sheet', () => {
  const plan = (backend: Stub): AutomationPlan | undefined => backend.saveAutomation.mock.lastCall?.[1];

  it('says what is wrong beside its field, and sends nothing before', async () => {
    const { backend } = await renderAutomationsPage();
    await press('automation-new');
    await press('plan-save');
    expect(faults()).toEqual(['name', 'task', 'phones']);
    expect(document.activeElement).toBe(part('plan-name'));
    await type('plan-name', 'morning summary for mum');
    expect(faults()).toEqual(['name_taken', 'task', 'phones']);
    await type('plan-name', 'Weather');
    await type('plan-task', 'Read me the weather of {town}');
    await press('plan-everywhere');
    await press('plan-scheduled');
    expect(faults()).toEqual(['value_missing']);
    expect(part('variable-value').getAttribute('aria-invalid')).toBe('true');
    await type('variable-value', 'Lisbon');
    for (const day of ['monday', 'tuesday', 'wednesday', 'thursday', 'friday']) await press(`plan-day-${day}`);
    expect(faults()).toEqual(['schedule']);
    expect(has('plan-schedule-words')).toBe(false);
    await press('plan-day-sunday');
    expect(part('plan-schedule-words').textContent?.replaceAll('\u202f', ' ').trim()).toBe('Every Sunday at 7:30 AM');
    expect(backend.saveAutomation).not.toHaveBeenCalled();
    await press('plan-missed-skip');
    await press('plan-save');
    expect(backend.saveAutomation.mock.lastCall).toEqual([
      null,
      {
        name: 'Weather',
        task: 'Read me the weather of {town}',
        variables: [{ name: 'town', kind: 'text', value: 'Lisbon', ask: true }],
        phones: { on: 'all' },
        schedule: { every: 'week', days: ['sunday'], at: { hour: 7, minute: 30 } },
        missed: 'skip',
      },
    ]);
    expect(has('plan-editor')).toBe(false);
    expect(names()).toContain('Weather');
  });

  it('asks before it is closed with changes, by Esc or Cancel, and not without', async () => {
    const { backend } = await renderAutomationsPage();
    const escape = async (): Promise<boolean> => {
      const event = new Event('cancel', { cancelable: true });
      part('plan-editor').dispatchEvent(event);
      await settle();
      return event.defaultPrevented;
    };
    await press('automation-new');
    await press('plan-cancel');
    expect(has('plan-editor')).toBe(false);
    await press('automation-new');
    await type('plan-name', 'Weather');
    expect(await escape()).toBe(true);
    await press('confirm-no');
    expect((part('plan-name') as HTMLInputElement).value).toBe('Weather');
    await press('plan-cancel');
    await press('confirm-yes');
    expect([has('plan-editor'), has('confirm')]).toEqual([false, false]);
    expect(backend.saveAutomation).not.toHaveBeenCalled();
  });

  it('is not saved with a variable whose name cannot be one', async () => {
    const { backend } = await renderAutomationsPage();
    await press('automation-new');
    await type('plan-name', 'Weather');
    await type('plan-task', 'Read me the weather of {town}');
    await press('plan-everywhere');
    await choose('variable-name', 'my town');
    await press('plan-save');
    expect(backend.saveAutomation).not.toHaveBeenCalled();
    expect(document.activeElement).toBe(part('variable-name'));
    expect((part('variable-name') as HTMLInputElement).value).toBe('my town');
    await choose('variable-name', 'city');
    await press('plan-save');
    expect(plan(backend)?.task).toBe('Read me the weather of {city}');
  });

  it('shows what the program refused where it belongs, and anything else at the end', async () => {
    const { backend } = await renderAutomationsPage();
    await fireEvent.click(row('late').inside('automation-edit'));
    await settle();
    backend.saveAutomation.mockRejectedValueOnce({ code: 'bad_input', values: { fault: 'name_taken' } });
    await press('plan-save');
    expect(faults()).toEqual(['name_taken']);
    backend.saveAutomation.mockRejectedValueOnce({ code: 'disk_full' });
    await press('plan-save');
    expect(faults()).toEqual([]);
    expect(has('plan-refused')).toBe(true);
    await press('plan-save');
    expect(backend.saveAutomation.mock.lastCall?.[0]).toBe('late');
    expect(has('plan-editor')).toBe(false);
  });

  it('makes the chosen words a variable, and renames it in the task', async () => {
    const { backend } = await renderAutomationsPage();
    await press('automation-new');
    await type('plan-name', 'Late');
    await type('plan-task', 'I am 10 minutes late');
    const area = part('plan-task') as HTMLTextAreaElement;
    area.setSelectionRange(5, 7);
    await fireEvent.select(area);
    expect(part('plan-make-variable').textContent?.trim()).toBe('Make it a blank');
    await press('plan-make-variable');
    expect(area.value).toBe('I am {value} minutes late');
    expect((part('variable-kind') as HTMLSelectElement).value).toBe('number');
    await choose('variable-name', 'two words');
    expect(part('plan-variable').textContent).toContain('Use only letters, digits and _');
    await choose('variable-name', 'minutes');
    expect(area.value).toBe('I am {minutes} minutes late');
    await press('plan-everywhere');
    await press('plan-save');
    expect(plan(backend)?.variables).toEqual([{ name: 'minutes', kind: 'number', value: '10', ask: true }]);
  });

  it('forgets what stood there when a variable becomes a secret', async () => {
    const { backend } = await renderAutomationsPage();
    await fireEvent.click(row('late').inside('automation-edit'));
    await settle();
    await choose('variable-kind', 'secret');
    expect(part('variable-secret').textContent).toContain('never saved here and never sent to the AI');
    await press('plan-save');
    expect(plan(backend)?.variables[0]).toMatchObject({ name: 'who', kind: 'secret', value: '' });
  });

  it('begins by a notification of an app the phone has', async () => {
    const { backend } = await renderAutomationsPage();
    await fireEvent.click(row('parcel').inside('automation-edit'));
    await settle();
    expect(part('plan-trigger-words').textContent).toBe('When Messages shows “parcel”');
    expect(backend.installedApps).toHaveBeenCalledWith('anna');
    await choose('plan-app', 'com.northbank.mobile');
    await type('plan-words', '');
    expect(part('plan-trigger-words').textContent).toBe('When Northbank shows a notification');
    await press('plan-save');
    expect(plan(backend)?.trigger).toEqual({ when: 'notification', app: 'com.northbank.mobile', label: 'Northbank', words: '' });
  });

  it.each([
    ['once', [['plan-date', '2024-12-24'], ['plan-time', '18:00']], { every: 'once', date: '2024-12-24', at: { hour: 18, minute: 0 } }],
    ['month', [['plan-day', '31']], { every: 'month', day: 31, at: { hour: 7, minute: 30 } }],
    ['month_weekday', [['plan-which', 'last'], ['plan-weekday', 'friday']], { every: 'month_weekday', which: 'last', day: 'friday', at: { hour: 7, minute: 30 } }],
    ['hours', [['plan-hours', '6']], { every: 'hours', hours: 6 }],
  ])('a schedule: %s', async (every, fields, schedule) => {
    const { backend } = await renderAutomationsPage();
    await fireEvent.click(row('screenshots').inside('automation-edit'));
    await settle();
    await press('plan-scheduled');
    await choose('plan-every', every);
    for (const [name, value] of fields as [string, string][]) {
      if (name === 'plan-date' || name === 'plan-time') await type(name, value);
      else await choose(name, value);
    }
    await press('plan-save');
    expect(plan(backend)?.schedule).toEqual(schedule);
  });

  it('keeps what it does not show, and says when it is next', async () => {
    const { backend } = await renderAutomationsPage();
    await fireEvent.click(row('morning').inside('automation-edit'));
    await settle();
    expect(part('plan-schedule-words').textContent).toContain('Next: Tomorrow');
    await press('plan-save');
    expect(plan(backend)).toEqual(ALL.find(({ id }) => id === 'morning')?.plan);
  });
});
