-- julien-duponchelle/python-mysql-replication#223, servers: mysql mariadb
CREATE TABLE t (id INT PRIMARY KEY, a VARCHAR(20) CHARSET gbk, b TEXT CHARSET big5, c CHAR(5) CHARSET sjis,
  d VARCHAR(9) CHARSET utf16le, e ENUM('好', '坏') CHARSET gbk, f VARCHAR(9) CHARSET koi8r);
INSERT INTO t VALUES (1, '程序', '中文', '日本', '😀a', '坏', 'мир'), (2, '镕', '\\', 'ｱ', '', '好', 'Ё');
