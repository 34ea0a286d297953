// Saves the records of a list as a CSV file, all pages of it.
import { ref, type Ref } from 'vue'
import type { ObjectDescription } from '../../../api/records.ts'
import { useOrg } from '../../../stores/org.ts'
import { useAction } from '../../../stores/use-action.ts'
import { saveFile } from '../../results/save-file.ts'
import { exportColumns, recordsCsv, type ExportForm } from '../export-records.ts'
import type { useRecordList } from './use-record-list.ts'

export const exportForms = [
  { id: 'shown', label: 'As shown, with names and labels' },
  { id: 'keys', label: 'For an import, with IDs and keys' },
] as const

interface ExportDeps {
  object: Readonly<Ref<ObjectDescription | null>>
  list: Pick<ReturnType<typeof useRecordList>, 'query' | 'readPage'>
}

export function useRecordExport({ object, list }: ExportDeps) {
  const org = useOrg()
  const { working, failure, run: attempt } = useAction()
  /** Records that have been read. */
  const done = ref(0)

  const run = (form: ExportForm): Promise<unknown> =>
    attempt(async () => {
      done.value = 0
      const [query, name] = [list.query.value, object.value!.key]
      const columns = await exportColumns(object.value!, form, org.epoch)
      const text = await recordsCsv(
        { columns, form },
        async (fields, part) => {
          const page = await list.readPage({ ...query, fields }, part)
          const [warning] = page.warnings ?? []
          // A file must not silently lack rows.
          if (warning !== undefined) throw new Error(`${warning.title}: ${warning.detail} No file was saved.`)
          return page
        },
        (records) => (done.value = records),
      )
      saveFile(`${name}.csv`, text)
    })

  return { working, failure, done, run }
}
