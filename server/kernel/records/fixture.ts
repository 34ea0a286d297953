// For tests of records: generations of a small org, with identities of objects and fields that renames keep.
import type { Component } from '../components/body-types.ts'
import { MemoryView } from '../components/memory-view.ts'
import { component } from '../components/rule-fixture.ts'
import { componentDigest } from '../change/component-digest.ts'
import type { Digest } from '../change/digest.ts'
import { nobleSha256 } from '../change/sha256.ts'
import { generationSlice, buildSetSlice } from '../config/slice.ts'
import { AlmanacError } from '../errors/almanac-error.ts'
import { earlierFields, nextFieldIds, type EarlierField } from './field-identities.ts'
import type { ChannelId, FieldId, ObjectId, RecordNames, RecordSnapshot } from './record-state.ts'

/** Bodies by `<type>/<key>`. */
export type Bodies = Readonly<Record<string, object>>

export class Generations {
  readonly #all: RecordSnapshot[] = []
  #fields = new Map<ObjectId, EarlierField[]>()
  #objects = new Map<string, ObjectId>()
  #created = 0

  /** Adds a generation; `renames` maps the new key of an object to its earlier one. */
  add(bodies: Bodies, renames: Readonly<Record<string, string>> = {}): RecordSnapshot {
    const components = Object.entries(bodies).map(([id, body]) => component(id as `object/${string}`, body))
    const view = new MemoryView(components)
    const generation = this.#all.length + 1
    const sets = [...view.list('config_set'), ...view.list('feature_flag')].map(
      (set) => [set.key, buildSetSlice(set, [...view.entriesOf(set.key)], digestOf(view, set))] as const,
    )
    const snapshot: RecordSnapshot = {
      generation,
      view,
      slice: generationSlice(generation, new Map(sets)),
      names: this.#name(view, generation, renames),
    }
    this.#all.push(snapshot)
    return snapshot
  }

  at(generation: number): RecordSnapshot {
    const found = this.#all[generation - 1]
    if (found === undefined) throw new AlmanacError('generation.not_found', `No generation ${generation}.`)
    return found
  }

  #name(view: MemoryView, generation: number, renames: Readonly<Record<string, string>>): RecordNames {
    const objects = new Map(
      [...view.list('object')].map(({ key }) => [
        key,
        this.#objects.get(renames[key] ?? key) ?? (`${key}@${generation}` as ObjectId),
      ]),
    )
    const keys = new Map([...objects].map(([key, id]) => [id, key]))
    const fieldIds = new Map<string, ReadonlyMap<string, FieldId>>()
    const fields = new Map<ObjectId, EarlierField[]>()
    for (const { key, body } of view.list('object')) {
      const id = objects.get(key)!
      const targetOf = ({ references }: { references?: string | undefined }): ObjectId | null =>
        references === undefined ? null : (objects.get(references) ?? null)
      const ids = nextFieldIds(
        this.#fields.get(id) ?? [],
        body.fields,
        targetOf,
        () => (this.#created += 1) as FieldId,
      )
      fieldIds.set(key, ids)
      fields.set(id, earlierFields(body.fields, ids, targetOf))
    }
    this.#objects = objects
    this.#fields = fields
    return {
      objectKey: (id) => keys.get(id),
      objectId: (object) => objects.get(object),
      fieldIds: (object) => fieldIds.get(object) ?? new Map(),
      channelId: (channel) => channel as ChannelId,
      appKey: (app) => app,
    }
  }
}

/** Changes whenever the set or one of its entries does. */
function digestOf(view: MemoryView, set: Component): Digest {
  const digests = [set, ...view.entriesOf(set.key)].map((each) =>
    componentDigest(each as Component, nobleSha256),
  )
  return `jcs1:sha256:${nobleSha256(digests.sort().join())}` as Digest
}

/** Bodies of an org with customers and invoices, whose tax depends on a dated rate. */
export function billing(rate = '0.1900'): Bodies {
  const number = { type: 'number', precision: 12, scale: 2 }
  return {
    'value_set/state': {
      values: [
        { key: 'open', label: 'Open', active: true },
        { key: 'paid', label: 'Paid', active: true },
        { key: 'lost', label: 'Lost', active: false },
      ],
    },
    'config_set/vat': {
      cardinality: 'keyed',
      keyedBy: { key: 'country', type: 'text' },
      effectiveDated: true,
      asOfField: 'invoice.tax_point',
      fields: [{ key: 'rate', type: 'number', precision: 6, scale: 4, required: true }],
    },
    'config_entry/vat.de_2007': {
      set: 'vat',
      key: 'DE',
      scope: { kind: 'org' },
      effectiveFrom: '2007-01-01',
      effectiveTo: '2020-07-01',
      values: { rate: '0.1900' },
    },
    'config_entry/vat.de_2020': {
      set: 'vat',
      key: 'DE',
      scope: { kind: 'org' },
      effectiveFrom: '2020-07-01',
      effectiveTo: '2021-01-01',
      values: { rate: '0.1600' },
    },
    'config_entry/vat.de_2021': {
      set: 'vat',
      key: 'DE',
      scope: { kind: 'org' },
      effectiveFrom: '2021-01-01',
      values: { rate },
    },
    'config_entry/vat.at': {
      set: 'vat',
      key: 'AT',
      scope: { kind: 'org' },
      effectiveFrom: '1984-01-01',
      values: { rate: '0.2000' },
    },
    'object/customer': {
      fields: [
        { key: 'name', type: 'text', required: true },
        { key: 'country', type: 'text', required: true },
        { key: 'label', type: 'text', formula: { expression: 'name + " (" + country + ")"', stored: false } },
      ],
    },
    'object/invoice': {
      fields: [
        { key: 'number', type: 'text', required: true, unique: true },
        { key: 'customer', type: 'reference', references: 'customer' },
        { key: 'tax_point', type: 'date', required: true },
        { key: 'state', type: 'enum', valueSet: 'state', default: '"open"' },
        { key: 'net', ...number },
        {
          key: 'tax',
          ...number,
          formula: { expression: 'net * config.vat(customer.country).rate', stored: true },
        },
        { key: 'total', ...number, formula: { expression: 'net + tax', stored: true } },
        { key: 'half', ...number, formula: { expression: 'total / 2', stored: false } },
        { key: 'buyer', type: 'text', formula: { expression: 'customer.label', stored: true } },
        { key: 'reminder', type: 'number', precision: 12, scale: 2, default: 'total / 100' },
        {
          key: 'lines',
          type: 'number',
          precision: 9,
          scale: 0,
          rollup: { child: 'line', via: 'invoice', op: 'count' },
        },
        { key: 'weight', ...number, rollup: { child: 'line', via: 'invoice', op: 'sum', of: 'weight' } },
      ],
      validationRules: [
        { key: 'positive', when: 'net < 0', message: 'The net amount is negative.', field: 'net' },
        { key: 'light', when: 'weight > 1200', message: 'The invoice is too heavy.' },
        { key: 'final', when: 'prior.state == "paid" && changed(net)', message: 'The invoice is paid.' },
      ],
    },
    'object/line': {
      fields: [
        { key: 'invoice', type: 'reference', references: 'invoice', required: true },
        { key: 'weight', ...number },
      ],
    },
  }
}
