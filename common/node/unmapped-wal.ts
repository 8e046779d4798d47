/**
 * Execute it first on a database that only one connection opens, to keep its WAL index in memory instead of in
 * `<file>-shm`. SQLite maps that file and allocates one byte of each page: on a full disk whose blocks are smaller than
 * a page, such as ext4 on a small partition, the first access to the rest of a page ends the process with SIGBUS. A
 * second connection gets SQLITE_BUSY, so it must not be used for databases that a backup copies.
 */
export const UNMAPPED_WAL = 'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL';
