// The explanation of a value is in the words of the org: the labels of value sets, not their keys.
import { expect, test, type Studio } from './support/test.ts'

const rights = { create: true, read: true, update: true, delete: true, viewAll: true, modifyAll: true }

interface Note {
  body: { fields: { key: string }[] }
}

/** A note whose formula reads a value of a value set from the record and one from the configuration. */
async function layNote({ call }: Studio): Promise<string> {
  const { component } = await call<{ component: { body: { objects: object; fields: object } } }>(
    'GET',
    '/metadata/v3/components/permission_set/administrator',
  )
  const fields = [
    { key: 'title', label: 'Title', type: 'text' },
    { key: 'state', label: 'State', type: 'enum', valueSet: 'states' },
    {
      ...{ key: 'verdict', label: 'Verdict', type: 'text' },
      formula: { expression: 'state == config.policy.wanted ? "as wanted" : "different"', stored: true },
    },
  ]
  const states = [
    { key: 'draft', label: 'In work' },
    { key: 'final', label: 'Closed for good' },
  ]
  const access = { read: { administrator: 'read' }, edit: { administrator: 'edit' } }
  await call('POST', '/metadata/v3/apply', {
    components: [
      { type: 'value_set', key: 'states', label: 'States', body: { values: states } },
      {
        ...{ type: 'config_set', key: 'policy', label: 'Policy' },
        body: {
          ...{ cardinality: 'singleton', scopes: ['org'], effectiveDated: false, ...access },
          fields: [
            { key: 'wanted', label: 'Wanted state', type: 'enum', valueSet: 'states', required: true },
          ],
        },
      },
      {
        ...{ type: 'config_entry', key: 'policy.org', label: 'Policy' },
        body: { set: 'policy', scope: { kind: 'org' }, values: { wanted: 'final' } },
      },
      { type: 'object', key: 'note', label: 'Note', body: { nameField: 'title', fields } },
      {
        ...component,
        body: {
          ...component.body,
          objects: { ...component.body.objects, note: rights },
          fields: {
            ...component.body.fields,
            ...{ 'note.title': { read: true, edit: true }, 'note.state': { read: true, edit: true } },
            'note.verdict': { read: true },
          },
        },
      },
    ],
    rationale: 'Notes',
  })
  return (await call<{ id: string }>('POST', '/data/v3/note', { title: 'N-1', state: 'draft' })).id
}

test('a click on a computed value explains it, and a formula that changed is shown beside the earlier one', async ({
  studio,
}) => {
  const { page, call } = studio
  const id = await layNote(studio)
  const { component } = await call<{ component: Note }>('GET', '/metadata/v3/components/object/note')
  const fields = component.body.fields.map((field) =>
    field.key === 'verdict' ? { ...field, formula: { expression: 'title + "!"', stored: true } } : field,
  )
  await call('POST', '/metadata/v3/apply', {
    components: [{ ...component, body: { ...component.body, fields } }],
    rationale: 'A different verdict',
  })
  await page.goto(`${studio.url}/records/note/${id}`)
  await page.getByRole('cell', { name: 'different', exact: true }).click()
  const panel = page.getByRole('complementary', { name: 'Why this value' })
  const formula = panel.getByRole('region', { name: 'Formula' })
  await expect(formula).toContainText('state == config.policy.wanted')
  await expect(formula.getByRole('group', { name: 'Now' })).toContainText('title + "!"')
  await expect(panel.getByRole('region', { name: 'What differs' })).toContainText(
    'The formula of verdict changed: note by',
  )
})

test('an explanation shows labels of fields, sets and value sets, with their keys beside them', async ({
  studio,
}) => {
  const { page } = studio
  const id = await layNote(studio)
  await page.goto(`${studio.url}/records/note/${id}?why=verdict`)
  const panel = page.getByRole('complementary', { name: 'Why this value' })
  await expect(panel.getByRole('region', { name: 'Formula' })).toContainText(/State\s*In work/)
  const used = panel.getByRole('region', { name: 'Entries used' })
  await expect(used.getByRole('link', { name: 'Policy', exact: true })).toBeVisible()
  await expect(used).toContainText(/Wanted state\s*wanted\s*Closed for good/)
  await expect(panel).toContainText(/Verdict\s*note.verdict/)
  await expect(panel.getByRole('row', { name: /^As of no date/ })).toBeVisible()
  await expect(panel.getByRole('row', { name: /^Scope org/ })).toBeVisible()
})
