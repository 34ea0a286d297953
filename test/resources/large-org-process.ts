// Makes the large org in a separate process, which ends when the org is created.
import { makeLargeOrg } from './large-org.ts'

const [dir, root] = process.argv.slice(2) as [string, string]
await makeLargeOrg(dir, root)
