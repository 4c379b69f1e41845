int dummy_normalizer_test;
