// Makes the large org in a separate process, which ends when the org is created.
import { makeLargeOrg } from './large-org.ts'

await makeLargeOrg(process.argv[2]!)
