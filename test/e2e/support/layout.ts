// A layout with a lookup field in its second section, and the content of its draft.
import { layGround } from './ground.ts'
import type { Studio } from './test.ts'

export const field = (id: string, inputs: object): object => ({
  ...{ id, type: 'component', key: 'lookup_field', inputs },
})
export const top = { id: 'top', section: 'Top', items: [{ id: 'number', type: 'field', key: 'number' }] }
export const customer = (inputs: object): object => ({
  ...{ id: 'main', section: 'Customer', columns: 2, items: [field('who', inputs)] },
})
export const layout = (...sections: object[]): object => ({
  ...{ type: 'layout', key: 'invoice_page', label: 'Invoice page' },
  body: { object: 'invoice', sections },
})

/** Applies it over the fixture. */
export async function layLayout(studio: Studio, ...sections: object[]): Promise<void> {
  await layGround(studio)
  await studio.call('POST', '/metadata/v3/apply', {
    components: [layout(...sections)],
    rationale: 'A page',
  })
}

interface Draft {
  id: string
  text: string | null
  version: number
}
export async function draftRow({ call }: Studio, id = 'layout/invoice_page'): Promise<Draft | undefined> {
  const { drafts } = await call<{ drafts: Draft[] }>('GET', '/setup/v3/drafts')
  return drafts.find((draft) => draft.id === id)
}
/** The text of the draft; undefined without a draft. */
export async function draftOf(studio: Studio, id?: string): Promise<{ body: never } | undefined> {
  const text = (await draftRow(studio, id))?.text
  return typeof text === 'string' ? (JSON.parse(text) as { body: never }) : undefined
}
/** Saves a draft of the layout as another window would. */
export async function keepDraft(studio: Studio, text: string | null): Promise<void> {
  const version = (await draftRow(studio))?.version ?? 0
  await studio.call('PUT', '/setup/v3/drafts/layout/invoice_page', { text, version })
}
