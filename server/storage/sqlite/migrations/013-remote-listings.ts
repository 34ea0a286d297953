// A listing of a remote is stored in parts that are written separately: one text of 10 MB blocked the readers.

export const remoteListings = `
CREATE TABLE remote_listing_part (
  listing TEXT NOT NULL, place INTEGER NOT NULL, lines TEXT NOT NULL, PRIMARY KEY (listing, place)
) STRICT;
INSERT INTO remote_listing_part SELECT remote || ' ' || which, 0, listing FROM remote_listing;
UPDATE remote_listing SET listing = remote || ' ' || which;
`
