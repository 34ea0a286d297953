// The sample's components, with two dated flags moved so that they fit the date of creation.
import type { Component } from '#kernel/components/body-types.ts'
import { addDays, parseCivilDate, type CivilDate } from '#kernel/dates/civil-date.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { hasErrors } from '#kernel/errors/finding.ts'
import { readDirectory } from '../pipeline/index.ts'

/** The days from today until a flag expires: one expires soon, one is frozen, one has time left. */
const expiries: Readonly<Record<string, number>> = {
  reverse_charge_hint: 9,
  legacy_rounding: -20,
  new_invoice_page: 200,
}

/** @throws AlmanacError files.invalid if the files of the installation are damaged. */
export function sampleComponents(dir: string, today: CivilDate): Component[] {
  const { components, findings } = readDirectory(dir)
  if (hasErrors(findings))
    throw new AlmanacError('files.invalid', 'The files of the sample are damaged. Install Almanac again.', {
      details: findings,
    })
  return components.map(({ component }) => {
    const days = component.type === 'feature_flag' ? expiries[component.key] : undefined
    if (component.type !== 'feature_flag' || days === undefined) return component
    return { ...component, body: { ...component.body, expiresOn: addDays(today, days) } }
  })
}

/** A rate that changes on the next 1 January, so that the history and the diff have content. */
export function rateOfNextYear(components: readonly Component[], today: CivilDate): Component[] {
  const current = components.find(
    (component): component is Extract<Component, { type: 'config_entry' }> =>
      component.key === 'vat_rate.de_2021_01_01',
  )
  if (current === undefined) return []
  const nextYear = Number(today.slice(0, 4)) + 1
  const from = parseCivilDate(`${nextYear}-01-01`)!
  const label = `Invented, to show a change: Germany from ${nextYear}`
  return [
    { ...current, body: { ...current.body, effectiveTo: from } },
    {
      ...current,
      key: `vat_rate.de_${nextYear}_01_01`,
      label,
      body: {
        ...current.body,
        effectiveFrom: from,
        effectiveTo: null,
        values: { ...current.body.values, rate: '0.2000' },
      },
    },
  ]
}
