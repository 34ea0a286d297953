// Makes the large org in a process of its own, which ends once it is made.
import { makeLargeOrg } from './large-org.ts'

await makeLargeOrg(process.argv[2]!)
