// For tests of what a save computes: an org with invoices, and their shapes.
import type { FieldValue } from '../components/field-types.ts'
import { computeCells, type Shape } from './compute-cells.ts'
import { billing, Generations, type Bodies } from './fixture.ts'
import type { FieldId, RecordSnapshot, RecordState } from './record-state.ts'

type Values = Readonly<Record<string, FieldValue>>

const customers: Readonly<Record<string, Values>> = {
  ada: { name: 'Ada', country: 'DE' },
  bob: { name: 'Bob', country: 'XX' },
}

export class Org {
  readonly generations = new Generations()
  present: RecordSnapshot

  constructor(bodies: Bodies = billing()) {
    this.present = this.generations.add(bodies)
  }

  deploy(bodies: Bodies, renames = {}): void {
    this.present = this.generations.add(bodies, renames)
  }

  ids(object: string, values: Values): Map<FieldId, FieldValue> {
    const ids = this.present.names.fieldIds(object)
    return new Map(Object.entries(values).map(([key, value]) => [ids.get(key)!, value]))
  }

  loaded = (id: string): RecordState | undefined => {
    const values = customers[id]
    if (values === undefined) return undefined
    return { id, object: this.object('customer'), values: this.ids('customer', values), bindings: new Map() }
  }

  object(key: string): RecordState['object'] {
    const { names } = this.generations.at(1)
    return [`${key}@1` as RecordState['object']].find((id) => names.objectKey(id) !== undefined)!
  }

  add(values: Values): Shape {
    const entered = this.ids('invoice', values)
    const missing = new Set(
      [...this.present.names.fieldIds('invoice').values()].filter((id) => !entered.has(id)),
    )
    return this.#compute({ values: entered, bindings: new Map() }, missing, true)
  }

  change(before: Pick<Shape, 'values' | 'bindings'>, values: Values, recompute = false): Shape {
    const changed = new Map([...before.values, ...this.ids('invoice', values)])
    return this.#compute({ values: changed, bindings: before.bindings }, new Set(), false, recompute)
  }

  #compute(
    state: Pick<RecordState, 'values' | 'bindings'>,
    missing: Set<FieldId>,
    isNew: boolean,
    recompute = false,
  ): Shape {
    return computeCells({
      ...{ id: 'own', object: this.object('invoice') },
      ...state,
      inputs: new Map(),
      missing,
      isNew,
      recompute,
      dirty: new Set(),
      present: this.present,
      snapshotAt: (generation) => this.generations.at(generation),
      scopePath: { environment: 'test' },
      loaded: this.loaded,
    })
  }

  read(shape: Shape, ...keys: string[]): FieldValue[] {
    const ids = this.present.names.fieldIds('invoice')
    return keys.map((key) => shape.values.get(ids.get(key)!) ?? null)
  }

  binding(shape: Shape, key: string): unknown {
    return shape.bindings.get(this.present.names.fieldIds('invoice').get(key)!)
  }
}

export const invoice = { number: 'R-1', customer: 'ada', tax_point: '2020-08-15', net: '100.00' }
